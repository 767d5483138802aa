import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import { dateFormat } from "../../platform/date-format.js";
import type { Words } from "../../platform/words.js";
import { localClock } from "../../portfolio/domain/timezone.js";
import { reductionOf, reductionWords, type Situation, situationOf } from "./dispatch-words.js";
import type { WebhookEventName } from "./webhook.js";

/** A notice of a dispatch, to be said to people. */
export interface NoticeContent {
  /** Its current state, with the sites of the notified account. */
  readonly dispatch: Dispatch;
  readonly event: WebhookEventName;
  readonly now: Date;
  /** As whom the service speaks; empty: it does not say. */
  readonly service: string;
}

/** What to reduce, when, and for which program, in the time of the program. */
export const noticeSentence = (
  words: Words,
  content: NoticeContent,
  program = content.dispatch.program.name,
): string => {
  const { dispatch, service } = content;
  const test = dispatch.test ? [words.say("TEST, no emergency.")] : [];
  const notice = [...test, sentenceOf(words, dispatch, situationOf(content)), program].join(" ");
  return service === "" ? notice : words.say("{service}: {notice}", { service, notice });
};

const sentenceOf = (words: Words, dispatch: Dispatch, situation: Situation): string => {
  const start = localTime(words, dispatch.start, dispatch.program.timezone);
  switch (situation) {
    case "created":
      return reduceWords(words, dispatch, start);
    case "changed":
      return words.say("CHANGED: {notice}", { notice: reduceWords(words, dispatch, start) });
    case "cancelled":
      return words.say("CANCELLED, stop reducing. It was to start {start}.", { start });
    case "voided":
      return words.say("VOIDED, the dispatch of {start} no longer counts.", { start });
    case "over":
      return words.say("ENDED, stop reducing. It started {start}.", { start });
  }
};

const reduceWords = (words: Words, dispatch: Dispatch, start: string): string => {
  const reduction = reductionWords(words, reductionOf(dispatch.sites));
  return dispatch.end === null
    ? words.say("reduce {reduction} from {start} until further notice.", { reduction, start })
    : words.say("reduce {reduction} from {start} to {end}.", {
        reduction,
        start,
        end: endOf(words, dispatch, dispatch.end),
      });
};

const endOf = (words: Words, { start, program: { timezone } }: Dispatch, end: Date): string =>
  dayOf(words, end, timezone) === dayOf(words, start, timezone)
    ? `${localClock(end, timezone)} ${zoneOf(words, end, timezone)}`
    : localTime(words, end, timezone);

/** "Tue 14 Jul 17:00 CDT": the zone, because an hour may come twice. */
const localTime = (words: Words, at: Date, timezone: string): string =>
  `${dayOf(words, at, timezone)} ${localClock(at, timezone)} ${zoneOf(words, at, timezone)}`;

const dayOf = ({ locale }: Words, at: Date, timeZone: string): string =>
  dateFormat(locale, { timeZone, weekday: "short", day: "numeric", month: "short" }).format(at).replaceAll(",", "");

/** American English abbreviates most zones; others are offsets. */
const zoneOf = ({ language, locale }: Words, at: Date, timeZone: string): string =>
  dateFormat(language === "en" ? "en-US" : locale, { timeZone, timeZoneName: "short" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";
