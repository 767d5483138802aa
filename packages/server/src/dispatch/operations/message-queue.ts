import type { Claim, Leased, Look, Sent } from "../../platform/lease.js";
import type { MessageOutcome } from "../domain/message.js";

/** The messages of a channel, shared by any number of workers. */
export interface MessageQueue<T extends Leased> {
  /** Claims due ones until the lease ends, but to busy hosts, and drops those that are needless by now. */
  claim(claim: Claim & { readonly busyHosts?: readonly string[] }): Promise<Look<T>>;
  /** A failure under a lease that another worker took over changes nothing. Each message occurs at most once. */
  record(sent: ReadonlyArray<Sent<T, MessageOutcome>>): Promise<void>;
}
