import type { Dispatch, DispatchSite } from "../../dispatch/domain/dispatch.js";
import { alarmWords as alarmNotice } from "../../platform/alarm.js";
import { dateFormat } from "../../platform/date-format.js";
import { perWords, type Words } from "../../platform/words.js";
import { localClock } from "../../portfolio/domain/timezone.js";
import { reductionOf, type Situation, situationOf } from "../domain/dispatch-words.js";
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
export const personalWords = (words: Words, about: Noticed, reader: Reader, now: Date): PersonalWords => {
  const { title, body, path } =
    about.of === "alarm" ? alarmWords(words, about.alarm, reader) : dispatchWords(words, about, reader, now);
  return { title: cut(title, MAX_TITLE), body: cut(body, MAX_BODY), path };
};

const dispatchWords = (
  words: Words,
  { dispatch, event }: Extract<Noticed, { of: "dispatch" }>,
  reader: Reader,
  now: Date,
): PersonalWords => {
  const side = reader.accountId === null ? "operations" : "dashboard";
  const what = whatOf(words, dispatch, reader, now);
  const situation = situationOf({ dispatch, event, now });
  const notice = reader.accountId === null ? operatorHead(words, situation, what) : head(words, situation, what);
  return {
    title: dispatch.test ? words.say("TEST: {notice}", { notice }) : notice,
    body: [placeOf(words, dispatch.sites), dispatch.program.name].join(" · "),
    path: `/${side}/dispatches/${dispatch.id}`,
  };
};

const head = (words: Words, situation: Situation, what: string): string => {
  switch (situation) {
    case "created":
      return what;
    case "changed":
      return words.say("Changed: {what}", { what });
    case "cancelled":
      return words.say("Cancelled: stop reducing");
    case "voided":
      return words.say("A past dispatch was voided; you need not do anything");
    case "over":
      return words.say("Ended: stop reducing");
  }
};

/** Never what to do. */
const operatorHead = (words: Words, situation: Situation, what: string): string => {
  switch (situation) {
    case "created":
      return words.say("Dispatch: {what}", { what });
    case "changed":
      return words.say("Changed: {what}", { what });
    case "cancelled":
      return words.say("Dispatch cancelled");
    case "voided":
      return words.say("Dispatch voided");
    case "over":
      return words.say("Dispatch ended");
  }
};

/** `Reduce 940 kW from 17:00 to 19:30`; with the day unless it is today. */
const whatOf = (words: Words, dispatch: Dispatch, { accountId, timezone }: Reader, now: Date): string => {
  const reduction = shortReduction(words, dispatch.sites);
  const start = momentOf(words, dispatch.start, timezone, now);
  const [isOperator, values] = [accountId === null, { reduction, start }];
  if (dispatch.end === null)
    return isOperator
      ? words.say("{reduction} from {start} until further notice", values)
      : words.say("Reduce {reduction} from {start} until further notice", values);
  const end = momentOf(words, dispatch.end, timezone, dispatch.start, now);
  return isOperator
    ? words.say("{reduction} from {start} to {end}", { ...values, end })
    : words.say("Reduce {reduction} from {start} to {end}", { ...values, end });
};

const alarmWords = (words: Words, alarm: NoticedAlarm, { accountId }: Reader): PersonalWords => ({
  title: alarmTitle(words, alarm.kind, alarm.isOver),
  body: aboutAlarm(words, alarm),
  path: accountId === null ? "/operations/alarms" : "/dashboard/connect",
});

/** `Harbor Foods · Peak relief` */
const aboutAlarm = (words: Words, { accountName, programName, isOver }: NoticedAlarm): string => {
  const known = [accountName, programName].filter((name) => name !== null);
  if (known.length > 0) return known.join(" · ");
  return isOver ? words.say("Nothing is left to do about it.") : words.say("Open the alarms to see what to do.");
};

/** `Alarm over: a VEN has stopped polling` */
const alarmTitle = (words: Words, kind: string, isOver: boolean): string => {
  const text = alarmNotice(kind)?.notice;
  if (text === undefined) return isOver ? words.say("An alarm is over") : words.say("A new alarm");
  const notice = words.say(text);
  return isOver ? words.say("Alarm over: {notice}", { notice }) : words.say("Alarm: {notice}", { notice });
};

const kilowattsOf = perWords(({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));

/** A lock screen has no room for fractions, or for sites without a commitment. */
const shortReduction = (words: Words, sites: readonly DispatchSite[]): string => {
  const { commitmentKw, openSites, siteCount } = reductionOf(sites);
  if (openSites === siteCount) return words.say("load as agreed");
  return `${kilowattsOf(words).format(commitmentKw)} kW`;
};

const placeOf = (words: Words, [first, ...more]: readonly DispatchSite[]): string => {
  if (first === undefined) return words.say("No sites");
  return more.length === 0
    ? first.name
    : words.say("{n, plural, one {# site} other {# sites}}", { n: more.length + 1 });
};

const momentOf = (words: Words, at: Date, timezone: string, ...known: readonly Date[]): string => {
  const day = dayOf(words, at, timezone);
  const time = localClock(at, timezone);
  return known.some((each) => dayOf(words, each, timezone) === day)
    ? time
    : words.say("{time} on {day}", { time, day });
};

const dayOf = ({ locale }: Words, at: Date, timezone: string): string =>
  dateFormat(locale, { timeZone: timezone, weekday: "short", day: "numeric", month: "short" }).format(at);

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
