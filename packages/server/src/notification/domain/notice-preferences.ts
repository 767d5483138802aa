import { invalid, type Refusal } from "../../platform/refusal.js";
import { refuseTimezone } from "../../portfolio/domain/program.js";
import { localClock } from "../../portfolio/domain/timezone.js";

export type PersonalChannel = "mail" | "push";

/** Channels that notify a person of a topic. */
export interface NoticeChoice {
  readonly mail: boolean;
  readonly push: boolean;
}

/** Time of day as `HH:MM`, from inclusive, until exclusive; may span midnight. */
export interface QuietHours {
  readonly from: string;
  readonly until: string;
}

/** What a person wants to be notified of, and how. */
export interface NoticePreferences {
  readonly dispatches: NoticeChoice;
  readonly changes: NoticeChoice;
  readonly alarms: NoticeChoice;
  /** Hold back alarms only. */
  readonly quietHours: QuietHours | null;
  /** Of the quiet hours, and of times in notices. */
  readonly timezone: string;
}

const NEVER: NoticeChoice = { mail: false, push: false };

/** Of a person who has chosen nothing. */
export const noPreferences: NoticePreferences = {
  dispatches: NEVER,
  changes: NEVER,
  alarms: NEVER,
  quietHours: null,
  timezone: "UTC",
};

export const refusePreferences = ({ quietHours, timezone }: NoticePreferences): Refusal | null => {
  if (quietHours !== null && quietHours.from === quietHours.until)
    return invalid("quiet_hours.until must differ from quiet_hours.from; send null for no quiet hours");
  return refuseTimezone(timezone);
};

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** The end of the quiet hours that now is in; null if it is in none. */
export const quietUntil = (
  { quietHours, timezone }: Pick<NoticePreferences, "quietHours" | "timezone">,
  now: Date,
): Date | null => {
  if (quietHours === null) return null;
  const [from, until, at] = [minutesOf(quietHours.from), minutesOf(quietHours.until), localMinutes(now, timezone)];
  if (forward(from, at) >= forward(from, until)) return null;
  const end = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS + forward(at, until) * MINUTE_MS);
  return corrected(end, until, timezone);
};

/** The clock may change within the quiet hours. An hour that the change skips ends when the clock is put forward. */
const corrected = (end: Date, until: number, timezone: string): Date => {
  const off = ((localMinutes(end, timezone) - until + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  const moved = new Date(end.getTime() - off * MINUTE_MS);
  return localMinutes(moved, timezone) === until ? moved : end;
};

const forward = (from: number, to: number): number => (to - from + DAY_MINUTES) % DAY_MINUTES;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const localMinutes = (at: Date, timezone: string): number => minutesOf(localClock(at, timezone));
