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

/** What an attempt to send a message came to. `evidence` is what its channel writes beside, `modification` the state of the dispatch that it described. */
export type MessageOutcome =
  /** With what else evidence keeps. */
  | {
      readonly state: "delivered";
      readonly at: Date;
      readonly modification: number | null;
      readonly kept: MessageKept;
      readonly evidence?: object;
    }
  /** `error` is null if it was not tried; with a `modification`, some of those that it is for have it. */
  | {
      readonly state: "pending";
      readonly at: Date;
      readonly nextAttemptAt: Date;
      readonly error: string | null;
      readonly modification?: number | null;
      readonly kept?: MessageKept;
      readonly evidence?: object;
    }
  /**
   * `refused`: it would never be accepted. `expired`: it was not accepted for too long. `gone`: the recipient no longer exists.
   * `attempts_failed`: each of its attempts failed.
   */
  | {
      readonly state: "failed";
      readonly at: Date;
      readonly reason: "refused" | "expired" | "gone" | "attempts_failed";
      /** null: the one before remains. */
      readonly error: string | null;
      readonly kept?: MessageKept;
      readonly evidence?: object;
    };
