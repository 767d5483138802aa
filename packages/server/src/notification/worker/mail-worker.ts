import type { LoopClock } from "../../platform/clock.js";
import type { Look } from "../../platform/lease.js";
import type { FaultLog } from "../../platform/log.js";
import { SendingWorker } from "../../platform/worker/sending-worker.js";
import { type ClaimedMail, isAlarming, type MailOutcome, type UnsendableMail } from "../domain/mail.js";
import { attemptMail, type MailClaim, type MailPorts } from "../operations/send-mails.js";
import { MAIL_CONNECTIONS } from "./mail-sender.js";

/** Hands due mails over, which may take longer than a lease; what is not recorded is sent again with the same Message-ID. */
export const mailWorker = (ports: MailPorts & { readonly clock: LoopClock }, log: FaultLog) => {
  const hasServer = ports.send !== null;
  return new SendingWorker<ClaimedMail, MailOutcome>(
    {
      what: "mails",
      inFlight: hasServer ? MAIL_CONNECTIONS : 0,
      claim: (lease, limit) => claim(ports, { ...lease, limit, hasServer }, log),
      send: (mail) => attemptMail(ports, mail),
      record: ({ item, outcome }) => ports.queue.record(item, outcome),
      renew: (mails, leasedUntil) => ports.queue.renew(mails, leasedUntil),
      report: (mail, outcome) => report(mail, outcome, log),
      facts: factsOf,
    },
    { clock: ports.clock, log },
  );
};

/** Settles mails that cannot be sent, too. */
const claim = async ({ queue }: MailPorts, mailClaim: MailClaim, log: FaultLog): Promise<Look<ClaimedMail>> => {
  const { claimed, unsendable } = await queue.claim(mailClaim);
  for (const mail of unsendable) log.error(factsOf(mail), unsendableAdvice[mail.state]);
  return unsendable.length > 0 ? { claimed, hasMore: true } : { claimed };
};

const unsendableAdvice: Readonly<Record<UnsendableMail["state"], string>> = {
  kept: "an account was not notified of a dispatch; set CURTAIL_SMTP_URL and phone the account",
  no_contacts: "an account was not notified of a dispatch and has no contacts; add one and phone the account",
};

const factsOf = ({ id, accountId, dispatchId, event }: Omit<UnsendableMail, "state">) => ({
  mail: id,
  accountId,
  dispatchId,
  event,
});

/** Logs neither addresses nor the mail server's response, which repeats addresses; it is in the mail's last_error. */
const report = (mail: ClaimedMail, { state, handover, error }: MailOutcome, log: FaultLog): void => {
  const failures = mail.failures + 1;
  const details = factsOf(mail);
  const refused = handover?.recipients.filter(({ answer }) => answer === "refused").length ?? 0;
  if (refused > 0)
    log.error({ ...details, refused }, "the mail server refused some contacts of a mail; correct their addresses");
  if (error === null) return;
  if (state === "expired")
    log.error(details, "no mail server accepted a mail for a day, so it was dropped; phone the account");
  else if (isAlarming(failures))
    log.error({ ...details, failures }, "a mail still cannot be sent; check CURTAIL_SMTP_URL and the mail server");
  else log.warn({ ...details, failures }, "a mail could not be sent; retrying");
};
