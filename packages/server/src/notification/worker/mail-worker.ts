import type { UnsendableMessage } from "../../dispatch/domain/message.js";
import type { MessageLook } from "../../dispatch/operations/message-queue.js";
import type { LoopClock } from "../../platform/clock.js";
import type { FaultLog } from "../../platform/log.js";
import { SendingWorker } from "../../platform/worker/sending-worker.js";
import { type ClaimedMail, isAlarming, type MailOutcome } from "../domain/mail.js";
import { attemptMail, type MailPorts } from "../operations/send-mails.js";
import { MAIL_CONNECTIONS } from "./mail-sender.js";

/** Hands due mails over, which may take longer than a lease; what is not recorded is sent again with the same Message-ID. */
export const mailWorker = (ports: MailPorts & { readonly clock: LoopClock }, log: FaultLog) => {
  const { queue, clock, send } = ports;
  return new SendingWorker<ClaimedMail, MailOutcome>(
    {
      what: "mails",
      inFlight: send === null ? 0 : MAIL_CONNECTIONS,
      claim: async (lease, limit) => reported(await queue.claim({ ...lease, limit }), log),
      send: (mail) => attemptMail(ports, mail),
      record: (sent) => queue.record([sent]),
      renew: (mails, leasedUntil) => queue.renew(mails, leasedUntil),
      report: (mail, outcome) => report(mail, outcome, log),
      facts: factsOf,
    },
    { clock, log },
  );
};

const reported = (look: MessageLook<ClaimedMail>, log: FaultLog): MessageLook<ClaimedMail> => {
  for (const mail of look.unsendable) log.error(factsOf(mail), adviceOf(mail));
  return look;
};

const adviceOf = ({ reason }: UnsendableMessage): string =>
  reason === "kept"
    ? "an account was not notified of a dispatch; set CURTAIL_SMTP_URL and phone the account"
    : "an account was not notified of a dispatch and has no contacts; add one and phone the account";

const factsOf = ({
  id,
  accountId,
  subject,
  event,
}: Pick<ClaimedMail | UnsendableMessage, "id" | "accountId" | "subject" | "event">) => ({
  mail: id,
  accountId,
  dispatchId: subject,
  event,
});

/** Logs neither addresses nor the mail server's response, which repeats addresses; it is in the message's error. */
const report = (mail: ClaimedMail, outcome: MailOutcome, log: FaultLog): void => {
  const failures = mail.failures + 1;
  const details = factsOf(mail);
  const refused =
    outcome.evidence?.handovers.flatMap(({ recipients }) => recipients).filter(({ answer }) => answer === "refused")
      .length ?? 0;
  if (refused > 0)
    log.error({ ...details, refused }, "the mail server refused some contacts of a mail; correct their addresses");
  const error = outcome.state === "delivered" ? outcome.kept["error"] : outcome.error;
  if (typeof error !== "string") return;
  if (outcome.state === "failed")
    log.error(details, "no mail server accepted a mail for a day, so it was dropped; phone the account");
  else if (isAlarming(failures))
    log.error({ ...details, failures }, "a mail still cannot be sent; check CURTAIL_SMTP_URL and the mail server");
  else log.warn({ ...details, failures }, "a mail could not be sent; retrying");
};
