import type { OptType } from "./created-event.js";
import type { Event } from "./event.js";

/** What a VEN answered to one modification of an event. */
export interface Acknowledgement {
  readonly modificationNumber: number;
  readonly optType: OptType;
  /** The VEN's own code: 200, or what it could not do. */
  readonly responseCode: string;
  readonly at: Date;
}

/** What is known of a VEN and an event that it was shown. */
export interface KnownEvent {
  readonly firstShownAt: Date;
  /** The last modification it was shown. */
  readonly shownModification: number;
  /** The newest modification it answered, with its latest answer to it. */
  readonly acknowledged: Acknowledgement | null;
  /** Its answers in the order they came, those to superseded modifications too; a repeated one once. */
  readonly history: readonly Acknowledgement[];
}

/** The events that a VEN was shown, by event id. */
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
