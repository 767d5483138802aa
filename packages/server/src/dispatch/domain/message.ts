import type { NoticeEvent } from "./notice.js";

/** A message about a dispatch, held by one worker until its lease ends. */
export interface ClaimedMessage<Channel extends string = string> {
  readonly id: string;
  readonly channel: Channel;
  /** Whoever gets one after the other, such as a phone. */
  readonly recipient: string;
  readonly accountId: string;
  readonly dispatchId: string;
  readonly event: NoticeEvent;
  readonly failures: number;
  /** Since when it waits to be sent; the time in which delivery was held does not count. */
  readonly createdAt: Date;
  readonly leasedUntil: Date;
}

/** What an attempt to send a message came to. */
export type MessageOutcome =
  /** With the modification of the dispatch that it described, and what else evidence keeps. */
  | {
      readonly state: "delivered";
      readonly at: Date;
      readonly modification: number;
      readonly kept: Readonly<Record<string, string | null>>;
    }
  | { readonly state: "pending"; readonly at: Date; readonly nextAttemptAt: Date; readonly error: string }
  /** `refused`: it would never be taken. `expired`: it was not taken for too long. */
  | {
      readonly state: "failed";
      readonly at: Date;
      readonly reason: "refused" | "expired";
      readonly error: string;
    };
