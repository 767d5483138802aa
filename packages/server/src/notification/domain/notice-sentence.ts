import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import { localClock } from "../../portfolio/domain/timezone.js";
import { reductionOf, reductionWords, type Situation, situationOf } from "./dispatch-words.js";
import type { WebhookEventName } from "./webhook.js";

/** A notice of a dispatch, to be said to people. */
export interface NoticeContent {
  /** Its current state, with the sites of the notified account. */
  readonly dispatch: Dispatch;
  readonly event: WebhookEventName;
  readonly now: Date;
}

/** What to reduce, when, and for which program, in the time of the program. */
export const noticeSentence = (content: NoticeContent, program = content.dispatch.program.name): string => {
  const { dispatch } = content;
  const start = localTime(dispatch.start, dispatch.program.timezone);
  const test = dispatch.test ? "TEST, no emergency. " : "";
  const reduce = `reduce ${reductionWords(reductionOf(dispatch.sites))} from ${start} ${endWords(dispatch)}`;
  return `Curtail: ${test}${words[situationOf(content)]({ start, reduce, program })}`;
};

interface Parts {
  readonly start: string;
  readonly reduce: string;
  readonly program: string;
}

const words: Readonly<Record<Situation, (parts: Parts) => string>> = {
  created: ({ reduce, program }) => `${reduce}. ${program}`,
  changed: ({ reduce, program }) => `CHANGED: ${reduce}. ${program}`,
  cancelled: ({ start, program }) => `CANCELLED, stop reducing. It was to start ${start}. ${program}`,
  voided: ({ start, program }) => `VOIDED, the dispatch of ${start} no longer counts. ${program}`,
  over: ({ start, program }) => `ENDED, stop reducing. It started ${start}. ${program}`,
};

const endWords = ({ end, start, program: { timezone } }: Dispatch): string => {
  if (end === null) return "until further notice";
  const isSameDay = dayOf(end, timezone) === dayOf(start, timezone);
  return `to ${isSameDay ? `${localClock(end, timezone)} ${zoneOf(end, timezone)}` : localTime(end, timezone)}`;
};

/** "Tue 14 Jul 17:00 CDT": the zone, because an hour may come twice. */
const localTime = (at: Date, timezone: string): string =>
  `${dayOf(at, timezone)} ${localClock(at, timezone)} ${zoneOf(at, timezone)}`;

const dayOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, weekday: "short", day: "numeric", month: "short" })
    .format(at)
    .replaceAll(",", "");

/** American English abbreviates most zones; others are offsets. */
const zoneOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "short" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";
