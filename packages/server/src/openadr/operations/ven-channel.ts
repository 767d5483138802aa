import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { OpenAdrSettings } from "../../portfolio/domain/program.js";
import type { Ven, VenAcknowledgement, VenError, VenEvent, VenIdentity } from "../domain/ven.js";

/** A dispatch as sent to a VEN. */
export interface VenDispatch {
  /** With the sites of the VEN only. */
  readonly dispatch: Dispatch;
  /** Of its program. */
  readonly openadr: OpenAdrSettings | null;
  /** Its place in the order of creation within the VEN's market context, counted from 1. */
  readonly priority: number;
}

/** Where the events of VENs come from: production's dispatches, or scenarios of the sandbox. */
export interface VenDispatches {
  /**
   * Those that call sites of the VEN and are not over, and those that ended, were changed or cancelled in the last half
   * hour. Throws when they cannot be known: an empty answer would read as their cancel.
   */
  calling(ven: Ven): Promise<readonly VenDispatch[]>;
  /** Notes what a VEN did, where somebody judges it; before it is answered. */
  readonly note?: (acts: readonly VenAct[], at: Date) => Promise<void>;
}

/** A modification that a poll showed, or that a VEN acknowledged. */
export interface VenAct {
  readonly what: "ven_polled" | "ven_acknowledged";
  readonly dispatchId: string;
  readonly number: number;
}

/** A VEN's event with its answers in the order they came, the latest to each modification. */
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

/** What is to be written of a VEN's answers. */
export interface TakenAnswers {
  /** Events whose newest answer changed. */
  readonly acknowledged: ReadonlyArray<{ readonly dispatchId: string; readonly acknowledgement: VenAcknowledgement }>;
  /** New in the history. */
  readonly heard: ReadonlyArray<{ readonly dispatchId: string; readonly acknowledgement: VenAcknowledgement }>;
  /** Events that the VEN acknowledges as they are now, whether for the first time or again. */
  readonly settled: readonly string[];
  readonly errors: readonly VenError[];
  /** Whether anything is acknowledged at all. */
  readonly isAcknowledgement: boolean;
}

/** What is kept of VENs and events. */
export interface VenMemory {
  /** The VEN of a certificate, even if revoked or expired. */
  identityOf(fingerprint: string): Promise<VenIdentity | null>;
  /** What the VEN knows of these events. */
  known(ven: Ven, dispatchIds: readonly string[]): Promise<readonly VenEvent[]>;
  /** Written before the response is sent to the VEN. */
  show(shown: Shown): Promise<void>;
  /** Takes answers to these events, one message of a VEN at a time. */
  takeAnswers<T extends TakenAnswers>(
    message: { readonly ven: Ven; readonly dispatchIds: readonly string[]; readonly at: Date },
    take: (events: readonly AnsweredEvent[]) => T,
  ): Promise<T>;
}

/** All that the OpenADR channel needs of the rest. */
export interface VenChannel {
  readonly memory: VenMemory;
  dispatchesOf(ven: Ven): VenDispatches;
}

/** The message that a VEN would get now, as XML; nothing is recorded. */
export type PreviewVen = (ven: Ven) => Promise<string>;
