import type { WebhookEventName } from "../domain/webhook.js";
import type { Queryable } from "./database.js";
import { accountName, type Finding } from "./finding.js";

interface UnsentMailRow {
  readonly id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly notice_seq: number;
  readonly dispatch_id: string;
  readonly event: WebhookEventName;
  readonly state: "no_contacts" | "kept" | "expired";
}

interface HopeRow {
  readonly account_id: string;
  readonly notice_seq: number;
  readonly is_pending: boolean;
}

const whyUnsent: Readonly<Record<UnsentMailRow["state"], string>> = {
  no_contacts: "it has no contacts to mail; add one with `curtail admin contacts add`",
  kept: "there is no mail server; set CURTAIL_SMTP_URL",
  expired: "the mail server did not take its mail for a day; check CURTAIL_SMTP_URL and the mail server",
};

/**
 * Accounts that a notice never reached. There is a mail wherever a delivery failed for good, apart from participants'
 * own tests; one that went to nobody is decided on when no webhook of its account can take the notice any more.
 */
export const failedNotices = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const unsent = await undecidedMails(db);
  if (unsent.length === 0) return [];
  // Joined here: with statistics from before a failure of 10,000 accounts, the planner compared all with all.
  const hopes = await hopesOf(db, [...new Set(unsent.map((mail) => mail.dispatch_id))]);
  const decided = unsent.filter((mail) => hopes.get(told(mail))?.is_pending !== true);
  await noteDecided(
    db,
    decided.map(({ id }) => id),
    now,
  );
  return decided.filter((mail) => !hopes.has(told(mail))).map(toFinding);
};

/** Who is told of what. */
const told = ({ account_id, notice_seq }: Pick<HopeRow, "account_id" | "notice_seq">): string =>
  `${account_id} ${notice_seq}`;

const undecidedMails = async (db: Queryable): Promise<readonly UnsentMailRow[]> => {
  const { rows } = await db.query<UnsentMailRow>(
    `select mails.id, account_id, accounts.name as account_name, notice_seq, dispatch_id, event, state
     from mails join accounts on accounts.id = account_id
     where judged_at is null and state in ('no_contacts', 'kept', 'expired') order by mails.seq`,
  );
  return rows;
};

/** The accounts that a webhook told of a notice, or may still tell. */
const hopesOf = async (db: Queryable, dispatchIds: readonly string[]): Promise<ReadonlyMap<string, HopeRow>> => {
  const { rows } = await db.query<HopeRow>(
    `select account_id, notice_seq, bool_or(state = 'pending') as is_pending
     from deliveries join webhooks on webhooks.id = webhook_id
     where dispatch_id = any($1) and state in ('pending', 'delivered') group by account_id, notice_seq`,
    [dispatchIds],
  );
  return new Map(rows.map((row) => [told(row), row]));
};

const noteDecided = (db: Queryable, mailIds: readonly string[], now: Date) =>
  db.query("update mails set judged_at = $2 where id = any($1)", [mailIds, now]);

const toFinding = (mail: UnsentMailRow): Finding => ({
  subject: mail.id,
  accountId: mail.account_id,
  message:
    `Account ${accountName(mail)} was told of dispatch ${mail.dispatch_id} (${mail.event}) neither by webhook nor by mail: ` +
    `every attempt failed, and ${whyUnsent[mail.state]}. Call the account, then acknowledge this alarm.`,
});
