import type { OptType } from "./created-event.js";
import type { Event } from "./event.js";

/** A VEN's answer to one modification of an event. */
export interface Acknowledgement {
  readonly modificationNumber: number;
  readonly optType: OptType;
  /** The VEN's own code: 200, or an error. */
  readonly responseCode: string;
  readonly at: Date;
}

/** The state of an event that was sent to a VEN. */
export interface KnownEvent {
  readonly firstShownAt: Date;
  /** The last modification that was sent. */
  readonly shownModification: number;
  /** The newest modification it answered, with its latest answer. */
  readonly acknowledged: Acknowledgement | null;
  /** Its answers in order of arrival, including those to superseded modifications; repeated ones once. */
  readonly history: readonly Acknowledgement[];
}

/** The events that were sent to a VEN, by event id. */
export type VenState = ReadonlyMap<string, KnownEvent>;

/** The state after these events were sent to the VEN. */
export const afterShowing = (state: VenState, events: readonly Event[], now: Date): VenState => {
  const next = new Map(state);
  for (const { descriptor } of events) {
    const known = state.get(descriptor.eventId) ?? { firstShownAt: now, acknowledged: null, history: [] };
    next.set(descriptor.eventId, { ...known, shownModification: descriptor.modificationNumber });
  }
  return next;
};

/** Whether the VEN has answered this modification, with either opt. */
export const hasAnswered = (known: KnownEvent | undefined, modificationNumber: number): boolean =>
  known?.acknowledged?.modificationNumber === modificationNumber;
