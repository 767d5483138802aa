import type { Attempt, ResponseStart } from "../../platform/attempt.js";

/** A message of the mailbox, held by one worker until its lease ends. */
export interface ClaimedMessage {
  readonly id: string;
  readonly channel: string;
  /** Whoever gets one after the other, such as a phone. */
  readonly recipient: string;
  /** null: of an operator's person. */
  readonly accountId: string | null;
  /** The dispatch or the alarm that it is about. */
  readonly subject: string;
  readonly event: string;
  readonly failures: number;
  /** Since when it waits to be sent; the time in which delivery was held does not count. */
  readonly createdAt: Date;
  readonly leasedUntil: Date;
  /** What else its channel reads of it. */
  readonly about: unknown;
}

/** A message that cannot be sent, as of now: a claim found it. */
export interface UnsendableMessage extends Pick<ClaimedMessage, "id" | "accountId" | "subject" | "event"> {
  readonly reason: string;
}

/** What a message keeps of an attempt, in `detail`; of an `error` that there was, its code. */
export type MessageKept = Readonly<Record<string, string | number | null>>;

/** An attempt that is evidence by itself. */
export interface EvidentAttempt extends Attempt, Partial<ResponseStart> {
  /** It was asked for, whatever became of the message. */
  readonly isResend?: boolean;
}

interface Made {
  readonly at: Date;
  /** What its channel writes beside. */
  readonly evidence?: object;
  readonly attempt?: EvidentAttempt;
}

/** What an attempt to send a message came to. `modification` is the state of the dispatch that it described. */
export type MessageOutcome = Made &
  (
    | {
        readonly state: "delivered";
        readonly modification: number | null;
        /** What else evidence keeps. */
        readonly kept: MessageKept;
      }
    /** `error` is null if it was not tried; with a `modification`, some of those that it is for have it. */
    | {
        readonly state: "pending";
        readonly nextAttemptAt: Date;
        readonly error: string | null;
        readonly modification?: number | null;
        readonly kept?: MessageKept;
      }
    /**
     * `refused`: it would never be accepted. `expired`: it was not accepted for too long. `gone`: the recipient no longer exists.
     * `attempts_failed`: each of its attempts failed.
     */
    | {
        readonly state: "failed";
        readonly reason: "refused" | "expired" | "gone" | "attempts_failed";
        /** null: the one before remains. */
        readonly error: string | null;
        readonly kept?: MessageKept;
      }
  );

/** A message was sent once more, which decides nothing if it fails. */
export interface FailedResend extends Made {
  readonly state: "unchanged";
  readonly error: string | null;
}
