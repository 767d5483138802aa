import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import { Hands, LapsedLeases, LEASE_MS } from "../../platform/worker/lease.js";
import { Recording } from "../../platform/worker/recording.js";
import { type ClaimedMail, isAlarming, type MailOutcome, refusedOf, type UnsendableMail } from "../domain/mail.js";
import { attemptMail, type MailPorts } from "../operations/send-mails.js";
import { MAIL_CONNECTIONS } from "./mail-sender.js";

/** Handing over may take longer than a lease. */
const RENEW_MS = LEASE_MS / 3;

export interface MailLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Claims due mails, hands them over and records what came of it, until it is stopped. */
export class MailWorker {
  private readonly underWay = new Set<Promise<void>>();
  private readonly polling: Polling;
  private readonly renewing: Polling;
  private readonly recording: Recording;
  private readonly hands = new Hands();
  private readonly lapsed = new LapsedLeases();
  /** Those being handed over, whose leases are renewed; by their ids. */
  private readonly sending = new Map<string, ClaimedMail>();
  private renewal: Promise<void> = Promise.resolve();

  constructor(
    private readonly ports: MailPorts & { readonly clock: LoopClock },
    private readonly log: MailLog,
  ) {
    const { clock } = ports;
    this.recording = new Recording(log, clock);
    this.polling = new Polling({
      look: () => this.round(),
      onError: (error) => {
        this.lapsed.lookFailed();
        log.error({ err: error }, "mails could not be fetched; the next look follows");
      },
      clock,
    });
    this.renewing = new Polling({
      look: async () => {
        this.renewal = this.renew();
        await this.renewal;
        return false;
      },
      onError: (error) => log.warn({ err: error }, "leases of mails could not be renewed; it is tried again"),
      clock,
      everyMs: RENEW_MS,
    });
  }

  start(): void {
    this.polling.start();
    this.renewing.start();
  }

  /** Takes nothing new, and waits for what is being sent. */
  async stop(): Promise<void> {
    this.recording.hurry();
    await this.polling.stop();
    await Promise.all(this.underWay);
    await this.renewing.stop();
  }

  private async round(): Promise<boolean> {
    // Without a place, too: what cannot be sent is settled.
    const hasServer = this.ports.send !== null;
    const limit = hasServer ? MAIL_CONNECTIONS - this.underWay.size : 0;
    const now = this.ports.clock.now();
    const lapsedBefore = this.lapsed.before(now);
    const leasedUntil = leaseFrom(now);
    const look = await this.ports.queue.claim({ now, leasedUntil, lapsedBefore, limit, hasServer });
    this.lapsed.lookMade(now);
    for (const mail of look.unsendable) this.reportUnsendable(mail);
    this.take(look.claimed);
    return look.unsendable.length > 0 || (limit > 0 && look.claimed.length === limit);
  }

  private take(claimed: readonly ClaimedMail[]): void {
    for (const mail of claimed) {
      if (!this.hands.take(mail.id, mail.leasedUntil)) continue;
      const sending = this.send(mail);
      this.underWay.add(sending);
      void sending.finally(() => {
        this.hands.drop(mail.id);
        this.underWay.delete(sending);
        this.polling.wake();
      });
    }
  }

  private async send(mail: ClaimedMail): Promise<void> {
    const { id, accountId, dispatchId, event } = mail;
    try {
      const outcome = await this.handOver(mail);
      await this.recording.run(() => this.ports.queue.record(this.hands.held(mail), outcome));
      this.report(outcome, mail);
    } catch (error) {
      // Sent or not, it is not recorded: its lease ends, and it is sent again with the same Message-ID.
      this.log.error({ err: error, mail: id, accountId, dispatchId, event }, "a mail could not be sent or recorded");
    }
  }

  private async handOver(mail: ClaimedMail): Promise<MailOutcome> {
    this.sending.set(mail.id, mail);
    try {
      return await attemptMail(this.ports, mail);
    } finally {
      this.sending.delete(mail.id);
      // What is recorded next names the lease of this moment.
      await this.renewal.catch(() => {});
    }
  }

  private async renew(): Promise<void> {
    const mails = [...this.sending.values()].map((mail) => this.hands.held(mail));
    if (mails.length === 0) return;
    const leasedUntil = leaseFrom(this.ports.clock.now());
    for (const id of await this.ports.queue.renew(mails, leasedUntil)) this.hands.take(id, leasedUntil);
  }

  private reportUnsendable({ id, accountId, dispatchId, event, state }: UnsendableMail): void {
    const message =
      state === "kept"
        ? "an account was not reached with a dispatch; set CURTAIL_SMTP_URL, and call the account"
        : "an account was not reached with a dispatch and has no contacts; add one, and call the account";
    this.log.error({ mail: id, accountId, dispatchId, event }, message);
  }

  /** Neither addresses nor what the mail server said: it repeats addresses. That is in the mail's last_error. */
  private report(outcome: MailOutcome, { id, accountId, dispatchId, event, failures }: ClaimedMail): void {
    const details = { mail: id, accountId, dispatchId, event };
    switch (outcome.state) {
      case "sent": {
        const refused = refusedOf(outcome.recipients);
        if (refused > 0) {
          this.log.error(
            { ...details, refused },
            "the mail server refused some contacts of a mail; correct their addresses",
          );
        }
        return;
      }
      case "expired":
        this.log.error(details, "a mail could not be handed over for a day and is given up; call the account");
        return;
      case "waiting":
        if (isAlarming(failures + 1)) {
          this.log.error(
            { ...details, failures: failures + 1 },
            "a mail still cannot be handed over; check CURTAIL_SMTP_URL and the mail server",
          );
        } else
          this.log.warn({ ...details, failures: failures + 1 }, "a mail could not be handed over; it is tried again");
    }
  }
}

const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);
