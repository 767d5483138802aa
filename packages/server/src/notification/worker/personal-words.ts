import type { Dispatch, DispatchSite } from "../../dispatch/domain/dispatch.js";
import { alarmWords as alarmNotice } from "../../platform/alarm.js";
import { localClock } from "../../portfolio/domain/timezone.js";
import { reductionOf, situationOf } from "../domain/dispatch-words.js";
import type { NoticedAlarm } from "../domain/personal-notice.js";
import type { Noticed } from "../operations/send-personal-notices.js";

/** What a person reads on a lock screen, and the page that it leads to. */
export interface PersonalWords {
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

export interface Reader {
  /** null: an operator. */
  readonly accountId: string | null;
  readonly timezone: string;
}

/** As much as phones show. */
const MAX_TITLE = 120;
const MAX_BODY = 240;

/** A notice in plain words; times are in the reader's zone. */
export const personalWords = (about: Noticed, reader: Reader, now: Date): PersonalWords => {
  const { title, body, path } =
    about.of === "alarm" ? alarmWords(about.alarm, reader) : dispatchWords(about, reader, now);
  return { title: cut(title, MAX_TITLE), body: cut(body, MAX_BODY), path };
};

const dispatchWords = (
  { dispatch, event }: Extract<Noticed, { of: "dispatch" }>,
  reader: Reader,
  now: Date,
): PersonalWords => {
  const side = reader.accountId === null ? "operations" : "dashboard";
  const head = headOf(dispatch, situationOf({ dispatch, event, now }), reader, now);
  return {
    title: dispatch.test ? `TEST: ${head}` : head,
    body: [placeOf(dispatch.sites), dispatch.program.name].join(" · "),
    path: `/${side}/dispatches/${dispatch.id}`,
  };
};

const headOf = (
  dispatch: Dispatch,
  situation: ReturnType<typeof situationOf>,
  { accountId, timezone }: Reader,
  now: Date,
): string => {
  const isOperator = accountId === null;
  const what = `${isOperator ? "" : "Reduce "}${shortReduction(dispatch.sites)} ${periodOf(dispatch, timezone, now)}`;
  switch (situation) {
    case "created":
      return isOperator ? `Dispatch: ${what}` : what;
    case "changed":
      return `Changed: ${what}`;
    case "cancelled":
      return isOperator ? "Dispatch cancelled" : "Cancelled: stop reducing";
    case "voided":
      return isOperator ? "Dispatch voided" : "A past dispatch was voided; you need not do anything";
    case "over":
      return isOperator ? "Dispatch ended" : "Ended: stop reducing";
  }
};

const alarmWords = (alarm: NoticedAlarm, { accountId }: Reader): PersonalWords => ({
  title: alarmTitle(alarm.kind, alarm.isOver),
  body: aboutAlarm(alarm),
  path: accountId === null ? "/operations/alarms" : "/dashboard/connect",
});

/** `Harbor Foods · Peak relief` */
const aboutAlarm = ({ accountName, programName, isOver }: NoticedAlarm): string => {
  const known = [accountName, programName].filter((name) => name !== null);
  if (known.length > 0) return known.join(" · ");
  return isOver ? "Nothing is left to do about it." : "Open the alarms to see what to do.";
};

/** `Alarm over: a VEN has stopped polling` */
const alarmTitle = (kind: string, isOver: boolean): string => {
  const notice = alarmNotice(kind)?.notice;
  if (notice === undefined) return isOver ? "An alarm is over" : "A new alarm";
  return `${isOver ? "Alarm over" : "Alarm"}: ${notice}`;
};

const kilowatts = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A lock screen has no room for fractions, or for sites without a commitment. */
const shortReduction = (sites: readonly DispatchSite[]): string => {
  const { commitmentKw, openSites, siteCount } = reductionOf(sites);
  return openSites === siteCount ? "load as agreed" : `${kilowatts.format(commitmentKw)} kW`;
};

const placeOf = ([first, ...more]: readonly DispatchSite[]): string => {
  if (first === undefined) return "No sites";
  return more.length === 0 ? first.name : `${more.length + 1} sites`;
};

/** `from 17:00 to 19:30`; with the day unless it is today. */
const periodOf = ({ start, end }: Dispatch, timezone: string, now: Date): string => {
  const from = `from ${momentOf(start, timezone, now)}`;
  return end === null ? `${from} until further notice` : `${from} to ${momentOf(end, timezone, start, now)}`;
};

const momentOf = (at: Date, timezone: string, ...known: readonly Date[]): string => {
  const day = dayOf(at, timezone);
  const time = localClock(at, timezone);
  return known.some((each) => dayOf(each, timezone) === day) ? time : `${time} on ${day}`;
};

const dayOf = (at: Date, timezone: string): string =>
  at.toLocaleDateString("en-GB", { timeZone: timezone, weekday: "short", day: "numeric", month: "short" });

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
