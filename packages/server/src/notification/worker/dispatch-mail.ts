import { VERSION } from "@curtail/contract";
import type { Dispatch, DispatchSite } from "../../dispatch/domain/dispatch.js";
import {
  AS_AGREED,
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
}

/** Mails are read by people; a dispatch may have tens of thousands of sites. */
const MAX_LISTED_SITES = 200;

/**
 * The mail to contacts whose systems were not notified: what to curtail or what changed, where, when and by how much
 * (G31).
 */
export const dispatchMail = (content: MailContent): DispatchMail => {
  const { dispatch } = content;
  const situation = situationOf(content);
  const blocks = blocksOf(content, situation);
  const subject = subjectOf(dispatch, situation);
  return { subject: dispatch.test ? `[TEST] ${subject}` : subject, text: asText(blocks), html: asHtml(blocks) };
};

const subjectOf = ({ program, start, sites }: Dispatch, situation: Situation): string => {
  switch (situation) {
    case "created":
      return `Curtail ${totalOf(sites)} from ${localTime(start, program.timezone)}: ${program.name}`;
    case "changed":
      return `Dispatch changed, curtail ${totalOf(sites)} from ${localTime(start, program.timezone)}: ${program.name}`;
    case "cancelled":
      return `Dispatch cancelled, stop curtailing: ${program.name}`;
    case "voided":
      return `Dispatch voided, no action needed: ${program.name}`;
    case "over":
      return `Dispatch ended, stop curtailing: ${program.name}`;
  }
};

const blocksOf = ({ dispatch, publicUrl }: MailContent, situation: Situation): Block[] => {
  const { id, program, sites, start, end } = dispatch;
  const resource = `GET ${publicUrl}/${VERSION}/dispatches/${id}`;
  const rows: Array<readonly [string, string]> = [
    ["Dispatch", id],
    ["Program", program.name],
    ["Start", moment(start, program.timezone)],
    ["End", end === null ? "until further notice" : moment(end, program.timezone)],
    ["Reduction", totalOf(sites)],
  ];
  const test = "This is a TEST by the operator, not a response to a power shortage.";
  return [
    ...(dispatch.test ? [paragraph(test)] : []),
    paragraph(whatHappened(situation)),
    paragraph("Your systems may not know about it: automatic notification failed or has not been confirmed yet."),
    { kind: "facts", rows },
    { kind: "list", title: sites.length === 1 ? "Your site:" : `Your ${sites.length} sites:`, items: siteLines(sites) },
    paragraph(`To acknowledge, reply to the operator or send ${resource} with your API key.`),
  ];
};

const paragraph = (text: string): Block => ({ kind: "paragraph", text });

const whatHappened = (situation: Situation): string => {
  switch (situation) {
    case "created":
      return "A dispatch of your sites has been issued. Please curtail manually.";
    case "changed":
      return "A dispatch of your sites has changed. The times below replace the earlier ones. Please curtail manually.";
    case "cancelled":
      return "A dispatch of your sites was cancelled. You can stop curtailing.";
    case "voided":
      return "A past dispatch of your sites was voided and no longer counts. You need not do anything.";
    case "over":
      return "A dispatch of your sites has ended. You can stop curtailing.";
  }
};

const siteLines = (sites: readonly DispatchSite[]): string[] => {
  const lines = sites.slice(0, MAX_LISTED_SITES).map(siteLine);
  const more = sites.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${more} more; fetch the dispatch for the full list`];
};

const siteLine = ({ name, customerLocationId, commitmentKw }: DispatchSite): string => {
  const customer = customerLocationId === "" ? "" : ` (customer id ${customerLocationId})`;
  return `${name}${customer}: ${commitmentKw === null ? AS_AGREED : kilowatts(commitmentKw)}`;
};

const totalOf = (sites: readonly DispatchSite[]): string => reductionWords(reductionOf(sites));

/** In two time zones: the program's, by name, and UTC. */
const moment = (at: Date, timezone: string): string => `${localTime(at, timezone)} = ${utcTime(at)}`;

const localTime = (at: Date, timezone: string): string => {
  const day = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  });
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hour: "2-digit",
    minute: "2-digit",
    ...(isWholeMinute(at) ? {} : { second: "2-digit" }),
    hourCycle: "h23",
  });
  // Whether a comma follows the weekday depends on Node's version of the Unicode data.
  return `${day.format(at).replace(",", "")}, ${time.format(at)} ${zoneName(at, timezone)} (${timezone})`;
};

/** American English names every zone and whether daylight saving applies; British English names only British ones. */
const zoneName = (at: Date, timezone: string): string => {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: timezone, timeZoneName: "long" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
};

const utcTime = (at: Date): string =>
  `${at
    .toISOString()
    .slice(0, isWholeMinute(at) ? 16 : 19)
    .replace("T", " ")} UTC`;

const isWholeMinute = (at: Date): boolean => at.getTime() % 60_000 < 1000;
