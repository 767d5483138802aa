/** 1 for short events (aggressive curtailment), 2 for long ones. */
export type EventLevel = 1 | 2;

/** The level where a program sets none; the length of an open-ended event is unknown. */
export const defaultLevel = (programType: string): EventLevel => (programType === "ancillary_services" ? 1 : 2);

/** A site that a dispatch calls on. */
export interface DispatchSite {
  readonly id: string;
  /** The site owner's own identifier; empty where there is none. */
  readonly customerLocationId: string;
}

/** A dispatch as far as a VEN's events depend on it. */
export interface Dispatch {
  readonly id: string;
  /** Before it, the dispatch does not exist for the VEN. */
  readonly notification: Date;
  readonly start: Date;
  /** Null while it is not known. */
  readonly end: Date | null;
  readonly modificationNumber: number;
  readonly createdAt: Date;
  /** Null unless it was cancelled. */
  readonly cancelledAt: Date | null;
  readonly test: boolean;
  readonly level: EventLevel;
  readonly rampUpSeconds: number;
  readonly recoverySeconds: number;
  readonly marketContext: string;
  /** Null counts from 1 by creation, among the dispatches of the market context that are given together. */
  readonly priority: number | null;
  /** The sites of the VEN that are called on. */
  readonly sites: readonly DispatchSite[];
  readonly comment: string | null;
}

const SECOND_MS = 1000;

/** The start in whole seconds, as it goes out. */
export const wireStart = ({ start }: Dispatch): Date => new Date(Math.floor(start.getTime() / SECOND_MS) * SECOND_MS);

/**
 * Length of the active period in whole seconds; 0 when the end is open. Rounded up and at least 1, because a short
 * event must never read as an endless one.
 */
export const eventDurationSeconds = (dispatch: Dispatch): number => {
  if (dispatch.end === null) return 0;
  const lengthMs = dispatch.end.getTime() - wireStart(dispatch).getTime();
  return Math.max(1, Math.ceil(lengthMs / SECOND_MS));
};

/** End of the active period in the event; null while it is open-ended. */
export const wireEnd = (dispatch: Dispatch): Date | null =>
  dispatch.end === null ? null : later(wireStart(dispatch), eventDurationSeconds(dispatch));

/** Seconds between notification and start; 0 when a dispatch starts before it is notified. */
export const notificationSeconds = (dispatch: Dispatch): number =>
  Math.max(0, Math.ceil((wireStart(dispatch).getTime() - dispatch.notification.getTime()) / SECOND_MS));

export const later = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * SECOND_MS);
