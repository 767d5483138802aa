import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { createTransport } from "nodemailer";
import type { Clock } from "../../platform/clock.js";
import type { ClaimedMail, HandedTo } from "../domain/mail.js";
import type { SendMail } from "../operations/send-mails.js";
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
  /** smtp:// or smtps://, with nodemailer's options and `from` in the query. */
  readonly smtpUrl: string;
  readonly publicUrl: string;
  readonly clock: Clock;
}

export interface MailSender {
  readonly send: SendMail;
  /** Closes idle connections. */
  close(): void;
}

/**
 * Hands mails to the server of `smtpUrl`. One message with all contacts in To: each sees who else was notified, and a
 * handover that fails half way cannot leave some contacts mailed, who would get it again on a retry.
 */
export const mailSender = ({ smtpUrl, publicUrl, clock }: SenderOptions): MailSender => {
  const { url, from, domain } = senderOf(smtpUrl, publicUrl);
  const transport = createTransport({
    url,
    // A connection per mail needs several round trips before its first byte.
    pool: true,
    maxConnections: MAIL_CONNECTIONS,
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
  const send: SendMail = async (mail, dispatch) => {
    // nodemailer limits each step, not their sum: a server may respond a little at a time.
    const signal = AbortSignal.timeout(SENDING_MS);
    try {
      const content = dispatchMail({ dispatch, event: mail.event, publicUrl, now: clock.now() });
      // All attempts have the same Message-ID, so that mailboxes can detect duplicates.
      const message = { ...content, from, to: addressees(mail), messageId: `<${mail.id}@${domain}>` };
      const { rejected } = await transport.sendMail({ ...message, signal });
      return { ok: true, recipients: handedTo(mail, rejected.map(addressOf)) };
    } catch (error) {
      if (signal.aborted) return { ok: false, error: `not accepted within ${SENDING_MS / 1000} s` };
      const text = error instanceof Error ? error.message : String(error);
      return { ok: false, error: text.slice(0, MAX_ERROR_LENGTH) };
    }
  };
  return { send, close: () => transport.close() };
};

const addressees = ({ recipients }: ClaimedMail) => recipients.map(({ name, email }) => ({ name, address: email }));

const handedTo = ({ recipients }: ClaimedMail, rejected: readonly string[]): HandedTo[] => {
  const refused = new Set(rejected.map(comparable));
  return recipients.map((recipient) => ({ ...recipient, accepted: !refused.has(comparable(recipient.email)) }));
};

const addressOf = (rejected: string | { readonly address: string }): string =>
  typeof rejected === "string" ? rejected : rejected.address;

/** Mail servers get the domain of an address in its ASCII form. */
const comparable = (email: string): string => {
  const [local, domain = ""] = email.toLowerCase().split(/@(?=[^@]*$)/);
  return `${local}@${domainToASCII(domain) || domain}`;
};

const senderOf = (smtpUrl: string, publicUrl: string): { url: string; from: string; domain: string } => {
  const url = new URL(smtpUrl);
  const domain = mailDomain(new URL(publicUrl).hostname);
  const from = url.searchParams.get("from") ?? `curtail@${domain}`;
  url.searchParams.delete("from");
  return { url: url.href, from, domain };
};

/** IP addresses are written in brackets, IPv6 with its prefix (RFC 5321, 4.1.3). */
const mailDomain = (hostname: string): string => {
  const bare = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(bare);
  if (family === 0) return hostname;
  return family === 4 ? `[${bare}]` : `[IPv6:${bare}]`;
};
