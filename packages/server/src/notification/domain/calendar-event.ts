import { type Dispatch, isNotified } from "../../dispatch/domain/dispatch.js";
import { DAY_MS } from "../../platform/period.js";
import type { Words } from "../../platform/words.js";
import { type Reduction, reductionWords } from "./dispatch-words.js";

/** A dispatch with what a calendar shows of its sites. */
export interface CalendarDispatch extends Omit<Dispatch, "sites">, Reduction {
  /** The first ones. */
  readonly siteNames: readonly string[];
}

/** Whose calendar it is: an account's, or the operators'. */
export type CalendarSide = "operators" | "participants";

export interface CalendarEvent {
  /** Stays the same for the life of the dispatch. */
  readonly uid: string;
  /** Grows with each change. */
  readonly sequence: number;
  readonly status: "CONFIRMED" | "CANCELLED";
  readonly start: Date;
  readonly end: Date;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly summary: string;
  readonly location: string;
  readonly description: string;
  readonly url: string;
  /** Test dispatches leave the person free. */
  readonly isBusy: boolean;
  readonly alarm: { readonly minutesBefore: number; readonly text: string } | null;
}

export interface CalendarView {
  readonly side: CalendarSide;
  /** Address of the person's pages about dispatches. */
  readonly pagesUrl: string;
  /** Of the person. */
  readonly words: Words;
  readonly now: Date;
}

/** How far back a calendar goes. */
const CALENDAR_DAYS = 90;
/** How long a cancelled or voided dispatch stays, marked as cancelled, so that every program notices. */
const CANCELLED_DAYS = 28;
/** Names of sites in an event; a dispatch may have tens of thousands. */
export const MOST_SITE_NAMES = 20;
const ALARM_MINUTES = 15;
const HOUR_MS = 3_600_000;

export const calendarStart = (now: Date): Date => new Date(now.getTime() - CALENDAR_DAYS * DAY_MS);
export const cancelledSince = (now: Date): Date => new Date(now.getTime() - CANCELLED_DAYS * DAY_MS);

/** Events of a calendar, in the order of the dispatches. Operators see dispatches before their notification time. */
export const calendarEvents = (dispatches: readonly CalendarDispatch[], view: CalendarView): CalendarEvent[] =>
  dispatches.filter((dispatch) => isInCalendar(dispatch, view)).map((dispatch) => eventOf(dispatch, view));

const isInCalendar = (dispatch: CalendarDispatch, { side, now }: CalendarView): boolean => {
  if (side === "participants" && !isNotified(dispatch, now)) return false;
  if (!dispatch.authorized && dispatch.changedAt < cancelledSince(now)) return false;
  return dispatch.end === null || dispatch.end >= calendarStart(now);
};

const eventOf = (dispatch: CalendarDispatch, view: CalendarView): CalendarEvent => {
  const { id, start, modificationNumber, createdAt, changedAt, authorized, test, isRecord } = dispatch;
  const { words } = view;
  const summary = summaryOf(words, dispatch);
  const url = `${view.pagesUrl}/${id}`;
  return {
    uid: `${id}@curtail`,
    sequence: modificationNumber,
    status: authorized ? "CONFIRMED" : "CANCELLED",
    start,
    end: shownEnd(dispatch, view.now),
    createdAt,
    changedAt,
    summary,
    location: siteWords(words, dispatch),
    description: [...statusLines(words, dispatch), ...factLines(words, dispatch), "", url].join("\n"),
    url,
    isBusy: authorized && !test,
    // A record is over, and nobody is notified of it (G61).
    alarm: authorized && !isRecord ? { minutesBefore: ALARM_MINUTES, text: summary } : null,
  };
};

const summaryOf = (words: Words, dispatch: CalendarDispatch): string => {
  const subject = stateWords(words, dispatch);
  return dispatch.test ? words.say("[TEST] {subject}", { subject }) : subject;
};

const stateWords = (words: Words, { voidReason, authorized, program, ...reduction }: CalendarDispatch): string => {
  const values = { reduction: reductionWords(words, reduction), program: program.name };
  if (voidReason !== null) return words.say("Voided: Reduce {reduction} · {program}", values);
  return authorized
    ? words.say("Reduce {reduction} · {program}", values)
    : words.say("Cancelled: Reduce {reduction} · {program}", values);
};

/**
 * Events need an end. Without one, the dispatch is shown for an hour, and while it runs, for two hours beyond the current
 * hour, so that programs that read the calendar rarely show it, too.
 */
const shownEnd = ({ start, end, authorized, changedAt }: CalendarDispatch, now: Date): Date => {
  if (end !== null) return end;
  const lastKnown = authorized ? Math.floor(now.getTime() / HOUR_MS) * HOUR_MS + 2 * HOUR_MS : changedAt.getTime();
  return new Date(Math.max(start.getTime() + HOUR_MS, lastKnown));
};

const statusLines = (words: Words, { test, voidReason, authorized, end }: CalendarDispatch): string[] => [
  ...(test ? [words.say("This is a test, not a response to a power shortage.")] : []),
  ...(voidReason !== null ? [words.say("This dispatch was voided and no longer counts.")] : []),
  ...(voidReason === null && !authorized ? [words.say("This dispatch was cancelled. No action is needed.")] : []),
  ...(authorized && end === null
    ? [words.say("No end has been set yet; this entry is extended while the dispatch runs.")]
    : []),
];

const factLines = (words: Words, dispatch: CalendarDispatch): string[] => {
  const { program, siteCount, siteNames } = dispatch;
  const more = siteCount - siteNames.length;
  return [
    words.say("Program: {program}", { program: program.name }),
    words.say("Reduction: {reduction}", { reduction: reductionWords(words, dispatch) }),
    words.say("{n, plural, one {Site:} other {# sites:}}", { n: siteCount }),
    ...siteNames.map((name) => `- ${name}`),
    ...(more > 0 ? [words.say("and {n} more", { n: more })] : []),
  ];
};

const MOST_LOCATIONS = 3;

/** "Northgate, Southgate and 4 more": most programs show the location on one line. */
const siteWords = (words: Words, { siteNames, siteCount }: CalendarDispatch): string => {
  const names = siteNames.slice(0, MOST_LOCATIONS).join(", ");
  const more = siteCount - Math.min(siteNames.length, MOST_LOCATIONS);
  return more > 0 ? words.say("{names} and {n} more", { names, n: more }) : names;
};
