/** 1 for short events (aggressive curtailment), 2 for long ones. */
export type EventLevel = 1 | 2;

/** The level if a program sets none; the length of an open-ended event is unknown. */
export const defaultLevel = (programType: string): EventLevel => (programType === "ancillary_services" ? 1 : 2);

/** A dispatched site. */
export interface DispatchSite {
  readonly id: string;
  /** The site owner's own identifier; empty if there is none. */
  readonly customerLocationId: string;
}

/** What a VEN's events need to know about a dispatch. */
export interface Dispatch {
  readonly id: string;
  /** Before it, the dispatch does not exist for the VEN. */
  readonly notification: Date;
  readonly start: Date;
  /** null while it is unknown. */
  readonly end: Date | null;
  readonly modificationNumber: number;
  readonly createdAt: Date;
  /** null unless it was cancelled. */
  readonly cancelledAt: Date | null;
  readonly test: boolean;
  readonly level: EventLevel;
  readonly rampUpSeconds: number;
  readonly recoverySeconds: number;
  readonly marketContext: string;
  /** null: counted from 1 by creation, among the given dispatches of the market context. */
  readonly priority: number | null;
  /** The VEN's sites in the dispatch. */
  readonly sites: readonly DispatchSite[];
  readonly comment: string | null;
}

const SECOND_MS = 1000;

/** The start in whole seconds, as sent. */
export const wireStart = ({ start }: Dispatch): Date => new Date(Math.floor(start.getTime() / SECOND_MS) * SECOND_MS);

/**
 * Length of the active period in whole seconds; 0 for an open end. Rounded up and at least 1, because a short event
 * must never read as an endless one.
 */
export const eventDurationSeconds = (dispatch: Dispatch): number => {
  if (dispatch.end === null) return 0;
  const lengthMs = dispatch.end.getTime() - wireStart(dispatch).getTime();
  return Math.max(1, Math.ceil(lengthMs / SECOND_MS));
};

/** End of the active period in the event; null while it is open-ended. */
export const wireEnd = (dispatch: Dispatch): Date | null =>
  dispatch.end === null ? null : later(wireStart(dispatch), eventDurationSeconds(dispatch));

/** Seconds between notification and start; 0 if a dispatch starts before its notification. */
export const notificationSeconds = (dispatch: Dispatch): number =>
  Math.max(0, Math.ceil((wireStart(dispatch).getTime() - dispatch.notification.getTime()) / SECOND_MS));

export const later = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * SECOND_MS);
