import type { WordsFor } from "../../access/domain/language.js";
import type { Clock } from "../../platform/clock.js";
import { DAY_MS } from "../../platform/period.js";
import type { Words } from "../../platform/words.js";
import type { PersonalSent } from "../domain/personal-notice.js";
import { isGone } from "../domain/push-subscription.js";
import type { Noticed, SendPersonalNotice } from "../operations/send-personal-notices.js";
import type { MailTransport } from "./mail-sender.js";
import { asHtml, asText, type Block } from "./mail-text.js";
import { type PersonalWords, personalWords } from "./personal-words.js";
import { type PushMessage, type SendPush, topicOf } from "./send-push.js";

/** What the service worker of the pages shows; `tag` replaces an earlier notification of the same subject. */
export const pushBody = (
  { language: lang }: Words,
  { title, body, path }: PersonalWords,
  { tag, urgent, at }: { readonly tag: string; readonly urgent: boolean; readonly at: Date },
): string => JSON.stringify({ title, body, path, lang, tag, urgent, at: at.toISOString() });

export const sendPersonalPush =
  (push: SendPush, clock: Clock, wordsFor: WordsFor): SendPersonalNotice =>
  async (notice, about): Promise<PersonalSent> => {
    const { target } = notice;
    if (target.channel !== "push") throw new Error(`notice ${notice.id} is not for a browser`);
    if (target.push === null) return { ok: false, error: "secret_unreadable", end: null };
    const now = clock.now();
    const words = wordsFor(notice.language);
    const said = personalWords(words, about, notice, now);
    const sent = await push(target.push, pushMessage(about, pushBody(words, said, placeOf(about, now)), now));
    return sent.ok
      ? { ok: true, text: `${said.title}\n${said.body}` }
      : { ok: false, error: sent.error ?? "failed", end: isGone(sent) ? "gone" : null };
  };

const placeOf = (about: Noticed, at: Date) =>
  about.of === "dispatch"
    ? { tag: `dispatch ${about.dispatchId}`, urgent: true, at }
    : { tag: `alarm ${about.alarm.id}`, urgent: false, at };

const pushMessage = (about: Noticed, body: string, now: Date): PushMessage => {
  const { tag, urgent } = placeOf(about, now);
  return { body, ttlSeconds: ttlSecondsOf(about, now), urgency: urgent ? "high" : "normal", topic: topicOf(tag) };
};

const LEAST_TTL_MS = 15 * 60_000;

/** A notice of a dispatch is worth nothing once the dispatch is over; an alarm is looked at within a day, or not at all. */
export const ttlSecondsOf = (about: Noticed, now: Date): number => {
  const endMs = about.of === "dispatch" ? about.dispatch.end?.getTime() : undefined;
  const leftMs = endMs === undefined ? DAY_MS : endMs - now.getTime();
  return Math.round(Math.min(Math.max(leftMs, LEAST_TTL_MS), DAY_MS) / 1000);
};

/** Base addresses of the pages: operators may have their own. */
export interface PageAddresses {
  readonly participants: string;
  readonly operators: string;
}

interface MailFrame {
  readonly pages: PageAddresses;
  readonly wordsFor: WordsFor;
  /** Paragraphs at the end of each. */
  readonly footer: readonly string[];
}

export const sendPersonalMail =
  (
    { handOver }: Pick<MailTransport, "handOver">,
    clock: Clock,
    { pages, wordsFor, footer }: MailFrame,
  ): SendPersonalNotice =>
  async (notice, about): Promise<PersonalSent> => {
    const { id, target, accountId, timezone } = notice;
    if (target.channel !== "mail") throw new Error(`notice ${id} is not for a mail address`);
    const words = wordsFor(notice.language);
    const { title, body, path } = personalWords(words, about, notice, clock.now());
    const base = accountId === null ? pages.operators : pages.participants;
    const blocks = [
      paragraph(title),
      paragraph(body),
      paragraph(words.say("Times are in {timezone}. Details: {url}", { timezone, url: `${base}${path}` })),
      paragraph(words.say("You chose to be notified by mail. To change that, open {url}", { url: `${base}/you` })),
      ...footer.map(paragraph),
    ];
    const to = [{ name: target.name, address: target.email }];
    const text = asText(words, blocks);
    const handed = await handOver({
      id,
      to,
      subject: title,
      text,
      html: asHtml(words, blocks),
      language: words.language,
    });
    if (!handed.ok) return { ...handed, end: null };
    const [rejected] = handed.rejected;
    return rejected === undefined
      ? { ok: true, text: `${title}\n\n${text}` }
      : { ok: false, error: rejected.reply, end: rejected.isPermanent ? "refused" : null };
  };

const paragraph = (text: string): Block => ({ kind: "paragraph", text });
