import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { createTransport } from "nodemailer";
import type { WordsFor } from "../../access/domain/language.js";
import { type Brand, footerOf, OWN_NAME } from "../../platform/brand.js";
import type { Clock } from "../../platform/clock.js";
import type { Language, Words } from "../../platform/words.js";
import type { Addressee, ClaimedMail, HandedTo, Recipient } from "../domain/mail.js";
import type { Handover, SendMail } from "../operations/send-mails.js";
import { dispatchMail } from "./dispatch-mail.js";

/** Time limit of a whole handover, however slowly the mail server responds. */
const SENDING_MS = 30_000;
/** Time limit of each step: connecting, the greeting, every response. */
const STEP_MS = 10_000;
/** Concurrent mails, each on its own connection. Postfix allows a client 50, hosted services fewer. */
export const MAIL_CONNECTIONS = 20;
/** Shorter than a step: an idle connection is closed before its socket times out. */
const IDLE_MS = 5000;
const MAX_ERROR_LENGTH = 500;

export interface SenderOptions {
  /** smtp:// or smtps://, with nodemailer's options and `from` and `replyTo` in the query. */
  readonly smtpUrl: string;
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly wordsFor: WordsFor;
  readonly brand: Brand;
  /** Default: nothing counts. */
  readonly count?: CountMail;
}

export interface MailSender {
  readonly send: SendMail;
  /** Closes idle connections. */
  close(): void;
}

/**
 * Hands mails to the server of `smtpUrl`. One message for each language, with all contacts in To: each sees who else is
 * notified. It goes to those who do not have it yet (G62).
 */
export const mailSender = (options: SenderOptions): MailSender => {
  const { publicUrl, clock, wordsFor } = options;
  const footer = footerOf(options.brand);
  const { handOver, close } = countedTransport(mailTransport(options, MAIL_CONNECTIONS), options.count ?? (() => {}));
  const send: SendMail = async (mail, dispatch) => {
    const content = { dispatch, event: mail.event, publicUrl, now: clock.now(), footer };
    const to = addresses(mail.contacts);
    const handing = [...byWords(mail, wordsFor)].map(async ([words, people]): Promise<Handover> => {
      const written = dispatchMail(words, content);
      const { language } = words;
      const id = words === wordsFor() ? mail.id : `${mail.id}.${language}`;
      const recipients = people.map(({ email }) => email);
      const handed = await handOver({ ...written, language, id, to, recipients });
      const { subject, text } = written;
      return handed.ok ? { ok: true, recipients: handedTo(people, handed.rejected), subject, text } : handed;
    });
    return Promise.all(handing);
  };
  return { send, close };
};

/** Who gets it in which words. */
const byWords = ({ recipients, accountLanguage }: ClaimedMail, wordsFor: WordsFor): Map<Words, Addressee[]> => {
  const people = new Map<Words, Addressee[]>();
  for (const each of recipients) {
    const words = wordsFor({ own: each.language, account: accountLanguage });
    people.set(words, [...(people.get(words) ?? []), each]);
  }
  return people;
};

/** A mail as it is handed over. */
export interface WrittenMail {
  /** All attempts in a language have the same Message-ID, so that mailboxes can detect duplicates. */
  readonly id: string;
  readonly to: ReadonlyArray<{ readonly name: string; readonly address: string }>;
  /** Who of them gets it now; absent: all. */
  readonly recipients?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: Language;
}

/** A recipient that the mail server refused, for now or for good. */
export interface Rejected {
  readonly address: string;
  readonly isPermanent: boolean;
  readonly reply: string;
}

export type HandedOver =
  | { readonly ok: true; readonly rejected: readonly Rejected[] }
  | { readonly ok: false; readonly error: string };

export interface MailTransport {
  /** Never throws. */
  readonly handOver: (mail: WrittenMail) => Promise<HandedOver>;
  /** Connects, greets, begins TLS if it is offered and signs in if that is set, and sends nothing. Throws what was refused. */
  readonly verify: () => Promise<void>;
  /** Closes idle connections. */
  readonly close: () => void;
}

/** Called with the result of each handover; refused: the server took the email for some or none of its recipients. */
export type CountMail = (result: "success" | "refused" | "failure") => void;

/** The same transport, whose handovers are counted. */
export const countedTransport = (transport: MailTransport, count: CountMail): MailTransport => ({
  ...transport,
  async handOver(mail) {
    const handed = await transport.handOver(mail);
    if (!handed.ok) count("failure");
    else count(handed.rejected.length === 0 ? "success" : "refused");
    return handed;
  },
});

/** Connections to the mail server, apart from those of other transports. */
export const mailTransport = (
  { smtpUrl, publicUrl, brand }: Pick<SenderOptions, "smtpUrl" | "publicUrl"> & { readonly brand: Pick<Brand, "name"> },
  connections: number,
): MailTransport => {
  const { url, from, replyTo, domain } = senderOf(smtpUrl, publicUrl);
  const isNamed = addressOnly(from) !== from || brand.name === OWN_NAME;
  const sender = isNamed ? from : { name: brand.name, address: from };
  const transport = createTransport({
    url,
    // A connection per mail needs several round trips before its first byte.
    pool: true,
    maxConnections: connections,
    idleTimeout: IDLE_MS,
    // The queue retries on its own; one more attempt here, for connections that the server closed.
    maxRequeues: 1,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    // Nothing in a mail may name a file to attach or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async handOver({ id, to, recipients = to.map(({ address }) => address), subject, text, html, language }) {
      // nodemailer limits each step, not their sum: a server may respond a little at a time.
      const signal = AbortSignal.timeout(SENDING_MS);
      try {
        const message = { from: sender, to: [...to], replyTo, subject, text, html, messageId: `<${id}@${domain}>` };
        const sent = await transport.sendMail({
          ...message,
          envelope: { from: addressOnly(from), to: [...recipients] },
          // RFC 3834: no out-of-office replies.
          headers: { "Auto-Submitted": "auto-generated", "Content-Language": language },
          signal,
        });
        return { ok: true, rejected: (sent.rejectedErrors ?? []).map(rejectedOf) };
      } catch (error) {
        const rejected = rejectedIn(error);
        if (rejected.length > 0) return { ok: true, rejected };
        if (signal.aborted) return { ok: false, error: `not accepted within ${SENDING_MS / 1000} s` };
        const words = error instanceof Error ? error.message : String(error);
        return { ok: false, error: words.slice(0, MAX_ERROR_LENGTH) };
      }
    },
    async verify() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
};

/** Every recipient was refused; nodemailer throws what the mail server answered for each. */
const rejectedIn = (error: unknown): Rejected[] => {
  const errors: unknown = error instanceof Error ? Reflect.get(error, "rejectedErrors") : null;
  return Array.isArray(errors) ? (errors as RecipientError[]).map(rejectedOf) : [];
};

interface RecipientError {
  readonly recipient?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  readonly message: string;
}

const rejectedOf = ({ recipient, responseCode, response, message }: RecipientError): Rejected => ({
  address: recipient ?? "",
  isPermanent: (responseCode ?? 0) >= 500,
  reply: (response ?? message).slice(0, MAX_ERROR_LENGTH),
});

const addresses = (recipients: readonly Recipient[]) => recipients.map(({ name, email }) => ({ name, address: email }));

const handedTo = (recipients: readonly Addressee[], rejected: readonly Rejected[]): HandedTo[] => {
  const refusals = new Map(rejected.map((each) => [comparable(each.address), each]));
  return recipients.map(({ name, email }) => {
    const recipient = { name, email };
    const refusal = refusals.get(comparable(recipient.email));
    if (refusal === undefined) return { ...recipient, answer: "accepted", reply: null };
    return { ...recipient, answer: refusal.isPermanent ? "refused" : "deferred", reply: refusal.reply };
  });
};

/** The address of a sender that may have a name. */
const addressOnly = (from: string): string => /<([^>]*)>\s*$/.exec(from)?.[1] ?? from;

/** Mail servers get the domain of an address in its ASCII form. */
const comparable = (email: string): string => {
  const [local, domain = ""] = email.toLowerCase().split(/@(?=[^@]*$)/);
  return `${local}@${domainToASCII(domain) || domain}`;
};

interface Sender {
  readonly url: string;
  readonly from: string;
  readonly replyTo: string | undefined;
  readonly domain: string;
}

const senderOf = (smtpUrl: string, publicUrl: string): Sender => {
  const url = new URL(smtpUrl);
  const domain = mailDomain(new URL(publicUrl).hostname);
  const from = url.searchParams.get("from") ?? `curtail@${domain}`;
  const replyTo = url.searchParams.get("replyTo") ?? undefined;
  for (const name of ["from", "replyTo"]) url.searchParams.delete(name);
  return { url: url.href, from, replyTo, domain };
};

/** IP addresses are written in brackets, IPv6 with its prefix (RFC 5321, 4.1.3). */
const mailDomain = (hostname: string): string => {
  const bare = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(bare);
  if (family === 0) return hostname;
  return family === 4 ? `[${bare}]` : `[IPv6:${bare}]`;
};
