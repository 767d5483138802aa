import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { Stamps } from "../../platform/stamps.js";
import type { OpenAdrSettings } from "../../portfolio/domain/program.js";
import type { Ven, VenAcknowledgement, VenError, VenEvent, VenIdentity } from "../domain/ven.js";

/** A dispatch as sent to a VEN. */
export interface VenDispatch {
  /** With the sites of the VEN only. */
  readonly dispatch: Dispatch;
  /** Settings of its program. */
  readonly openadr: OpenAdrSettings | null;
  /** Unique, and greater than that of every dispatch created earlier. */
  readonly priority: number;
}

/** Source of VENs' events: production's dispatches, or scenarios of the sandbox. */
export interface VenDispatches {
  /**
   * Notified dispatches of the VEN's sites that are not over, and those that ended, changed or were cancelled in the
   * last half hour. Throws if they cannot be read: an empty answer would cancel them.
   *
   * @param stamps read for the VEN's request
   */
  calling(ven: Ven, stamps: Stamps): Promise<readonly VenDispatch[]>;
  /** Records a VEN's acts for the report of a scenario, before the answer. */
  readonly note?: (acts: readonly VenAct[], at: Date) => Promise<void>;
}

/** A modification that was sent in a poll, or acknowledged by a VEN, of OpenADR 2.0a or 3.1. */
export interface VenAct {
  readonly what: `${"ven" | "openadr3"}_${"polled" | "acknowledged"}`;
  readonly dispatchId: string;
  readonly number: number;
}

/** A VEN's event with its answers in order of arrival, the latest for each modification. */
export interface AnsweredEvent extends VenEvent {
  readonly history: readonly VenAcknowledgement[];
}

/** A modification that is sent to a VEN for the first time. */
export interface Showing {
  readonly dispatchId: string;
  readonly modificationNumber: number;
  readonly priority: number | null;
}

/** Events that one response sends to a VEN, and events that it omits. */
export interface Shown {
  readonly ven: Ven;
  readonly how: "poll" | "push";
  readonly at: Date;
  readonly showings: readonly Showing[];
  readonly omitted: readonly Showing[];
  readonly replyLimit: number | null;
}

/** What to write for a VEN's answers. */
export interface TakenAnswers {
  /** Events whose newest answer changed. */
  readonly acknowledged: ReadonlyArray<{ readonly dispatchId: string; readonly acknowledgement: VenAcknowledgement }>;
  /** New answers in the history. */
  readonly heard: ReadonlyArray<{ readonly dispatchId: string; readonly acknowledgement: VenAcknowledgement }>;
  /** Events whose current state the VEN acknowledges, for the first time or again. */
  readonly settled: readonly string[];
  readonly errors: readonly VenError[];
  /** Whether it acknowledges anything. */
  readonly isAcknowledgement: boolean;
}

/** Stored state of VENs and events; what is read is no older than the stamps. */
export interface VenMemory {
  /** The VEN of a certificate, even if revoked or expired. */
  identityOf(fingerprint: string, stamps: Stamps): Promise<VenIdentity | null>;
  /** What the VEN knows of these events. */
  known(ven: Ven, dispatchIds: readonly string[], stamps: Stamps): Promise<readonly VenEvent[]>;
  /** Called before the response is sent to the VEN. */
  show(shown: Shown): Promise<void>;
  /** Records answers to these events, one message of a VEN at a time. */
  takeAnswers<T extends TakenAnswers>(
    message: { readonly ven: Ven; readonly dispatchIds: readonly string[]; readonly at: Date },
    take: (events: readonly AnsweredEvent[]) => T,
  ): Promise<T>;
}

/** What the OpenADR channel needs from other modules. */
export interface VenChannel {
  readonly memory: VenMemory;
  dispatchesOf(ven: Ven): VenDispatches;
}

/** The message that a VEN would get now, as XML; nothing is recorded. */
export type PreviewVen = (ven: Ven) => Promise<string>;
