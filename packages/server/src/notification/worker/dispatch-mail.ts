import { VERSION } from "@curtail/contract";
import type { Dispatch, DispatchSite } from "../../dispatch/domain/dispatch.js";
import { dateFormat } from "../../platform/date-format.js";
import type { Words } from "../../platform/words.js";
import {
  asAgreed,
  kilowatts,
  reductionOf,
  reductionWords,
  type Situation,
  situationOf,
} from "../domain/dispatch-words.js";
import type { WebhookEventName } from "../domain/webhook.js";
import { asHtml, asText, type Block } from "./mail-text.js";

export interface DispatchMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailContent {
  /** Its current state, with the sites of the notified account. */
  readonly dispatch: Dispatch;
  /** The event that webhooks were to receive. */
  readonly event: WebhookEventName;
  readonly publicUrl: string;
  readonly now: Date;
  /** Paragraphs at its end. */
  readonly footer: readonly string[];
}

/** Mails are read by people; a dispatch may have tens of thousands of sites. */
const MAX_LISTED_SITES = 200;

/**
 * The mail to contacts whose systems were not notified: what to curtail or what changed, where, when and by how much
 * (G31).
 */
export const dispatchMail = (words: Words, content: MailContent): DispatchMail => {
  const { dispatch } = content;
  const situation = situationOf(content);
  const blocks = blocksOf(words, content, situation);
  const subject = subjectOf(words, dispatch, situation);
  return {
    subject: dispatch.test ? words.say("[TEST] {subject}", { subject }) : subject,
    text: asText(words, blocks),
    html: asHtml(words, blocks),
  };
};

const subjectOf = (words: Words, { program, start: at, sites }: Dispatch, situation: Situation): string => {
  const { name } = program;
  const [reduction, start] = [totalOf(words, sites), localTime(words, at, program.timezone)];
  switch (situation) {
    case "created":
      return words.say("Curtail {reduction} from {start}: {program}", { reduction, start, program: name }, "verb");
    case "changed":
      return words.say("Dispatch changed, curtail {reduction} from {start}: {program}", {
        reduction,
        start,
        program: name,
      });
    case "cancelled":
      return words.say("Dispatch cancelled, stop curtailing: {program}", { program: name });
    case "voided":
      return words.say("Dispatch voided, no action needed: {program}", { program: name });
    case "over":
      return words.say("Dispatch ended, stop curtailing: {program}", { program: name });
  }
};

const blocksOf = (words: Words, { dispatch, publicUrl, footer }: MailContent, situation: Situation): Block[] => {
  const { id, program, sites, start, end } = dispatch;
  const request = `GET ${publicUrl}/${VERSION}/dispatches/${id}`;
  const rows: Array<readonly [string, string]> = [
    [words.say("Dispatch", {}, "noun"), id],
    [words.say("Program"), program.name],
    [words.say("Start", {}, "noun"), moment(words, start, program.timezone)],
    [
      words.say("End", {}, "noun"),
      end === null ? words.say("until further notice") : moment(words, end, program.timezone),
    ],
    [words.say("Reduction"), totalOf(words, sites)],
  ];
  return [
    ...(dispatch.test
      ? [paragraph(words.say("This is a TEST by the operator, not a response to a power shortage."))]
      : []),
    paragraph(whatHappened(words, situation)),
    paragraph(
      words.say("Your systems may not know about it: automatic notification failed or has not been confirmed yet."),
    ),
    { kind: "facts", rows },
    {
      kind: "list",
      title: words.say("{n, plural, one {Your site:} other {Your # sites:}}", { n: sites.length }),
      items: siteLines(words, sites),
    },
    paragraph(words.say("To acknowledge, reply to the operator or send {request} with your API key.", { request })),
    ...footer.map(paragraph),
  ];
};

const paragraph = (text: string): Block => ({ kind: "paragraph", text });

const whatHappened = (words: Words, situation: Situation): string => {
  switch (situation) {
    case "created":
      return words.say("A dispatch of your sites has been issued. Please curtail manually.");
    case "changed":
      return words.say(
        "A dispatch of your sites has changed. The times below replace the earlier ones. Please curtail manually.",
      );
    case "cancelled":
      return words.say("A dispatch of your sites was cancelled. You can stop curtailing.");
    case "voided":
      return words.say("A past dispatch of your sites was voided and no longer counts. You need not do anything.");
    case "over":
      return words.say("A dispatch of your sites has ended. You can stop curtailing.");
  }
};

const siteLines = (words: Words, sites: readonly DispatchSite[]): string[] => {
  const lines = sites.slice(0, MAX_LISTED_SITES).map((site) => siteLine(words, site));
  const more = sites.length - lines.length;
  return more === 0 ? lines : [...lines, words.say("and {n} more; fetch the dispatch for the full list", { n: more })];
};

const siteLine = (words: Words, { name, customerLocationId, commitmentKw }: DispatchSite): string => {
  const value = commitmentKw === null ? asAgreed(words) : kilowatts(words, commitmentKw);
  return customerLocationId === ""
    ? words.say("{name}: {value}", { name, value })
    : words.say("{name} (customer id {id}): {value}", { name, id: customerLocationId, value });
};

const totalOf = (words: Words, sites: readonly DispatchSite[]): string => reductionWords(words, reductionOf(sites));

/** In two time zones: the program's, by name, and UTC. */
const moment = (words: Words, at: Date, timezone: string): string =>
  `${localTime(words, at, timezone)} = ${utcTime(at)}`;

const localTime = (words: Words, at: Date, timezone: string): string => {
  const { language, locale } = words;
  const day = dateFormat(locale, {
    timeZone: timezone,
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  }).format(at);
  const time = dateFormat(locale, {
    timeZone: timezone,
    hour: "2-digit",
    minute: "2-digit",
    ...(isWholeMinute(at) ? {} : { second: "2-digit" }),
    hourCycle: "h23",
  }).format(at);
  return words.say("{day}, {time} {zone} ({timezone})", {
    // Whether a comma follows the weekday in English depends on Node's version of the Unicode data.
    day: language === "en" ? day.replace(",", "") : day,
    time,
    zone: zoneName(words, at, timezone),
    timezone,
  });
};

/** American English names every zone and whether daylight saving applies; British English names only British ones. */
const zoneName = ({ language, locale }: Words, at: Date, timezone: string): string =>
  dateFormat(language === "en" ? "en-US" : locale, { timeZone: timezone, timeZoneName: "long" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";

const utcTime = (at: Date): string =>
  `${at
    .toISOString()
    .slice(0, isWholeMinute(at) ? 16 : 19)
    .replace("T", " ")} UTC`;

const isWholeMinute = (at: Date): boolean => at.getTime() % 60_000 < 1000;
