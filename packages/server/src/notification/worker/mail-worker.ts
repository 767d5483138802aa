import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { Polling } from "../../platform/polling.js";
import type { Carrier } from "../../platform/timetable.js";
import { LEASE_MS } from "../../platform/worker/lease.js";
import { type Lease, LeasedWorker, leaseFrom } from "../../platform/worker/leased-worker.js";
import { type ClaimedMail, isAlarming, type MailOutcome, type UnsendableMail } from "../domain/mail.js";
import { attemptMail, type MailPorts } from "../operations/send-mails.js";
import { MAIL_CONNECTIONS } from "./mail-sender.js";

/** Handing over may take longer than a lease. */
const RENEW_MS = LEASE_MS / 3;

/** Claims due mails, hands them over and records the outcomes, until stopped. */
export class MailWorker {
  private readonly leased: LeasedWorker<ClaimedMail>;
  private readonly renewing: Polling;
  /** Mails being handed over, by id; their leases are renewed. */
  private readonly sending = new Map<string, ClaimedMail>();
  private renewal: Promise<void> = Promise.resolve();

  constructor(
    private readonly ports: MailPorts & { readonly clock: LoopClock },
    private readonly log: FaultLog,
  ) {
    const { clock } = ports;
    this.leased = new LeasedWorker({
      clock,
      log,
      look: (lease) => this.look(lease),
      onError: (error) => log.error({ err: error }, "mails could not be fetched; retrying"),
      onEnd: () => this.leased.wake(),
    });
    this.renewing = new Polling({
      look: async () => {
        this.renewal = this.renew();
        await this.renewal;
        return false;
      },
      onError: (error) => log.warn({ err: error }, "leases of mails could not be renewed; retrying"),
      clock,
      everyMs: RENEW_MS,
    });
  }

  /** For the timetable. */
  get carrier(): Carrier {
    return this.leased;
  }

  start(): void {
    this.leased.start();
    this.renewing.start();
  }

  /** Stops claiming and waits for mails being sent. */
  async stop(): Promise<void> {
    await this.leased.stop();
    await this.renewing.stop();
  }

  private async look(lease: Lease): Promise<boolean> {
    // Looks even without a free slot, to settle mails that cannot be sent.
    const hasServer = this.ports.send !== null;
    const limit = hasServer ? MAIL_CONNECTIONS - this.leased.count : 0;
    const look = await this.ports.queue.claim({ ...lease, limit, hasServer });
    for (const mail of look.unsendable) this.reportUnsendable(mail);
    this.leased.take(look.claimed, (mail) => this.send(mail));
    return look.unsendable.length > 0 || (limit > 0 && look.claimed.length === limit);
  }

  private async send(mail: ClaimedMail): Promise<void> {
    const { id, accountId, dispatchId, event } = mail;
    try {
      const outcome = await this.handOver(mail);
      await this.leased.record(() => this.ports.queue.record(this.leased.held(mail), outcome));
      this.report(outcome, mail);
    } catch (error) {
      // Its outcome, whatever it was, is not recorded: the lease ends, and the mail is sent again with the same
      // Message-ID.
      this.log.error({ err: error, mail: id, accountId, dispatchId, event }, "a mail could not be sent or recorded");
    }
  }

  private async handOver(mail: ClaimedMail): Promise<MailOutcome> {
    this.sending.set(mail.id, mail);
    try {
      return await attemptMail(this.ports, mail);
    } finally {
      this.sending.delete(mail.id);
      // So that the record names the current lease.
      await this.renewal.catch(() => {});
    }
  }

  private async renew(): Promise<void> {
    const mails = [...this.sending.values()].map((mail) => this.leased.held(mail));
    if (mails.length === 0) return;
    const leasedUntil = leaseFrom(this.ports.clock.now());
    for (const id of await this.ports.queue.renew(mails, leasedUntil)) this.leased.renewed(id, leasedUntil);
  }

  private reportUnsendable({ id, accountId, dispatchId, event, state }: UnsendableMail): void {
    const message =
      state === "kept"
        ? "an account was not notified of a dispatch; set CURTAIL_SMTP_URL and phone the account"
        : "an account was not notified of a dispatch and has no contacts; add one and phone the account";
    this.log.error({ mail: id, accountId, dispatchId, event }, message);
  }

  /** Logs neither addresses nor the mail server's response, which repeats addresses; it is in the mail's last_error. */
  private report({ state, handover, error }: MailOutcome, mail: ClaimedMail): void {
    const { id, accountId, dispatchId, event } = mail;
    const failures = mail.failures + 1;
    const details = { mail: id, accountId, dispatchId, event };
    const refused = handover?.recipients.filter(({ answer }) => answer === "refused").length ?? 0;
    if (refused > 0)
      this.log.error(
        { ...details, refused },
        "the mail server refused some contacts of a mail; correct their addresses",
      );
    if (error === null) return;
    if (state === "expired")
      this.log.error(details, "no mail server accepted a mail for a day, so it was dropped; phone the account");
    else if (isAlarming(failures))
      this.log.error(
        { ...details, failures },
        "a mail still cannot be sent; check CURTAIL_SMTP_URL and the mail server",
      );
    else this.log.warn({ ...details, failures }, "a mail could not be sent; retrying");
  }
}
