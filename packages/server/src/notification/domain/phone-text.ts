import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import { localClock } from "../../portfolio/domain/timezone.js";
import { reductionOf, reductionWords, type Situation, situationOf } from "./dispatch-words.js";
import type { PhoneChannel } from "./phone-message.js";
import type { WebhookEventName } from "./webhook.js";

export interface PhoneContent {
  /** Its current state, with the sites of the notified account. */
  readonly dispatch: Dispatch;
  readonly event: WebhookEventName;
  readonly now: Date;
}

/** Characters of one SMS in the alphabet of GSM-7 (3GPP TS 23.038). */
export const SMS_CHARACTERS = 160;

/** What to reduce, when, and for which program, in the time of the program. An SMS fits one message. */
export const phoneText = (content: PhoneContent, channel: PhoneChannel): string =>
  channel === "voice" ? spoken(sentence(content, nameOf(content))) : short(content);

export const testText = (channel: PhoneChannel): string =>
  channel === "voice"
    ? "This is a test message from Curtail. Dispatches will be announced to you like this."
    : "Curtail test message. Dispatches and their changes will arrive like this.";

const nameOf = ({ dispatch: { program } }: PhoneContent): string => program.name;

/** Shortens the program's name, which is all that has no bound, until the text fits. */
const short = (content: PhoneContent): string => {
  const name = gsm(nameOf(content));
  const whole = gsm(sentence(content, name));
  const excess = whole.length - SMS_CHARACTERS;
  if (excess <= 0) return whole;
  return gsm(sentence(content, `${name.slice(0, Math.max(name.length - excess - 3, 0))}...`)).slice(0, SMS_CHARACTERS);
};

const sentence = (content: PhoneContent, program: string): string => {
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

const spoken = (text: string): string => text.replaceAll(" kW", " kilowatts");

/**
 * One character outside of the alphabet halves the length of an SMS. Accents are dropped, other characters replaced; those
 * of the extension table, which count twice, as well.
 */
const gsm = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[‘’`´]/g, "'")
    .replaceAll(/[–—·]/g, "-")
    .replaceAll(/[^A-Za-z0-9 @$!"#%&'()*+,\-./:;<=>?_]/gu, "?");
