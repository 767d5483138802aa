import { HOUR_MS } from "../../platform/period.js";
import { invalid, type Result } from "../../platform/refusal.js";
import { wholeSecond } from "../../platform/timestamp.js";

/** Of a shift: the end belongs to the next one. */
export interface Shift {
  readonly from: Date;
  readonly to: Date;
}

export interface ShiftWanted {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Two days, for a weekend that nobody handed over. */
export const MAX_SHIFT_HOURS = 48;
/** Of a shift without a report before it. */
export const USUAL_SHIFT_HOURS = 12;
const MAX_SHIFT_MS = MAX_SHIFT_HOURS * HOUR_MS;

/** The shift that is meant: since the end of the last report, until now. In whole seconds, so that shifts meet. */
export const shiftOf = (wanted: ShiftWanted, lastEnd: Date | null, now: Date): Result<Shift> => {
  const to = wholeSecond(wanted.to ?? now);
  if (to > now) return invalid("to_time is in the future; a report says what happened until now");
  const from = wholeSecond(wanted.from ?? usualStart(lastEnd, to));
  if (from >= to) return invalid("from_time is not before to_time; swap them, or name an earlier from_time");
  if (to.getTime() - from.getTime() > MAX_SHIFT_MS)
    return invalid(`a shift lasts at most ${MAX_SHIFT_HOURS} hours; keep a report for each part of the period`);
  return { from, to };
};

const usualStart = (lastEnd: Date | null, to: Date): Date => {
  const sinceMs = lastEnd === null ? Number.POSITIVE_INFINITY : to.getTime() - lastEnd.getTime();
  return lastEnd !== null && sinceMs > 0 && sinceMs <= MAX_SHIFT_MS
    ? lastEnd
    : new Date(to.getTime() - USUAL_SHIFT_HOURS * HOUR_MS);
};

/** A dispatch as it was at the end of a shift. */
export interface DispatchAtEnd {
  readonly start: Date;
  readonly end: Date | null;
  readonly authorized: boolean;
  readonly isVoid: boolean;
  /** How often it was issued or changed in the shift. */
  readonly modifications: number;
}

/** Whether the shift had to do with it: it was in progress, or somebody issued, changed, cancelled or voided it. */
export const belongsTo = ({ start, end, authorized, modifications }: DispatchAtEnd, { from, to }: Shift): boolean =>
  modifications > 0 || (authorized && start < to && (end === null || end > from));

export type StateAtEnd = "upcoming" | "active" | "past" | "cancelled" | "voided";

export const stateAt = (to: Date, { start, end, authorized, isVoid }: DispatchAtEnd): StateAtEnd => {
  if (!authorized) return isVoid ? "voided" : "cancelled";
  if (start >= to) return "upcoming";
  return end !== null && end <= to ? "past" : "active";
};

/** Beginnings of actions that are no change of a shift: other sections show them, or they concern the person alone. */
export const NO_CHANGES = [
  "alarm.",
  "alarm_group.",
  "calendar.",
  "phone_call.",
  "session.",
  "shift_report.",
  "user.add_push",
  "user.remove_push",
  "user.set_notices",
  "user.set_password",
  "user.change_password",
  "user.confirm_totp",
  "user.remove_totp",
  "user.renew_recovery_codes",
] as const;
