import type { Claim, Leased, Look, Sent } from "../../platform/lease.js";
import type { MessageOutcome, UnsendableMessage } from "../domain/message.js";

export interface MessageLook<T> extends Look<T> {
  /** Those that cannot be sent, which have failed. */
  readonly unsendable: readonly UnsendableMessage[];
}

/** The messages of a channel, shared by any number of workers. */
export interface MessageQueue<T extends Leased> {
  /** Claims due ones until the lease ends, but to busy hosts, and ends those that are needless or unsendable by now. */
  claim(claim: Claim & { readonly busyHosts?: readonly string[] }): Promise<MessageLook<T>>;
  /** Extends leases that are still held; returns the messages concerned. */
  renew(messages: readonly T[], leasedUntil: Date): Promise<readonly string[]>;
  /** A failure under a lease that another worker took over changes nothing. Each message occurs at most once. */
  record(sent: ReadonlyArray<Sent<T, MessageOutcome>>): Promise<void>;
}
