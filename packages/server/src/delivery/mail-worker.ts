import { type ClaimedMail, isAlarming, type MailOutcome } from "../domain/mail.js";
import { attemptMail, type MailPorts } from "../operations/send-mails.js";
import { SENDING_MS } from "./mail-sender.js";
import { Polling } from "./polling.js";

/** Longer than sending and its record can take, so that nobody else sends meanwhile. */
const LEASE_MS = 2 * SENDING_MS;
/** Each holds a connection to the mail server; a thousand mails of a tenth of a second leave in ten seconds. */
const MAX_IN_FLIGHT = 10;

export interface MailLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Claims due mails, hands them over and records what came of it, until it is stopped. */
export class MailWorker {
  private readonly underWay = new Set<Promise<void>>();
  private readonly polling: Polling;

  constructor(
    private readonly ports: MailPorts,
    private readonly log: MailLog,
  ) {
    this.polling = new Polling(
      () => this.round(),
      (error) => log.error({ err: error }, "mails could not be fetched; the next look follows"),
    );
  }

  start(): void {
    this.polling.start();
  }

  /** Takes nothing new, and waits for what is being sent. */
  async stop(): Promise<void> {
    await this.polling.stop();
    await Promise.all(this.underWay);
  }

  private async round(): Promise<boolean> {
    const room = MAX_IN_FLIGHT - this.underWay.size;
    if (room <= 0) return false;
    const now = this.ports.clock.now();
    const claimed = await this.ports.queue.claim(now, new Date(now.getTime() + LEASE_MS), room);
    for (const mail of claimed) {
      const sending = this.send(mail);
      this.underWay.add(sending);
      void sending.finally(() => {
        this.underWay.delete(sending);
        this.polling.wake();
      });
    }
    return claimed.length === room;
  }

  private async send(mail: ClaimedMail): Promise<void> {
    const { id, accountId, dispatchId, event } = mail;
    try {
      this.report(await attemptMail(this.ports, mail), mail);
    } catch (error) {
      // Sent or not, it is not recorded: its lease ends, and it is sent again with the same Message-ID.
      this.log.error({ err: error, mail: id, accountId, dispatchId, event }, "a mail could not be sent or recorded");
    }
  }

  /** Neither addresses nor what the mail server said: it repeats addresses. That is in the mail's last_error. */
  private report(outcome: MailOutcome, { id, accountId, dispatchId, event, failures }: ClaimedMail): void {
    const details = { mail: id, accountId, dispatchId, event };
    switch (outcome.state) {
      case "sent":
        if (outcome.refused > 0) {
          this.log.error(
            { ...details, refused: outcome.refused },
            "the mail server refused some contacts of a mail; correct their addresses",
          );
        }
        return;
      case "no_contacts":
        this.log.error(details, "an account could not be told of a dispatch and has no contacts; add one, and call it");
        return;
      case "kept":
        this.log.error(details, "an account could not be told of a dispatch; set CURTAIL_SMTP_URL, and call it");
        return;
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
