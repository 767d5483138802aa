import type { Claim, Sent } from "../../platform/lease.js";
import type { ClaimedMessage, MessageOutcome } from "../domain/message.js";

/** The messages of a channel, shared by any number of workers. */
export interface MessageQueue<Channel extends string> {
  /** Claims due ones until the lease ends, and drops those that are needless by now. */
  claim(claim: Claim): Promise<ReadonlyArray<ClaimedMessage<Channel>>>;
  /** A failure under a lease that another worker took over changes nothing. Each message occurs at most once. */
  record(sent: ReadonlyArray<Sent<ClaimedMessage<Channel>, MessageOutcome>>): Promise<void>;
}
