import { ALARMING_FAILURES } from "../../notification/domain/mail.js";
import { IS_REFUSED } from "../../notification/storage/mail-queue.js";
import { UNSETTLED } from "../../notification/storage/owed-store.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type AccountRow, accountName, type Finding } from "../../platform/database/finding.js";

type UnreachedRow = AccountRow &
  Row<"mails", "id" | "dispatch_id" | "event" | "failures" | "last_error"> & {
    readonly state: "no_contacts" | "kept" | "expired" | "waiting";
    readonly is_refused: boolean;
    /** null: the account has none. */
    readonly contact_name: string | null;
    readonly contact_email: string;
    readonly contact_phone: string | null;
  };

/** Accounts that nothing reached in time, and whose mail cannot be sent or keeps failing (G45). */
export const failedNotices = async (db: Queryable): Promise<Finding[]> => {
  const { rows } = await db.query<UnreachedRow>(
    `select mails.id, mails.account_id, accounts.name as account_name, dispatch_id, event, state, failures, last_error,
       ${IS_REFUSED} as is_refused, contact.name as contact_name, contact.email as contact_email, contact.phone as contact_phone
     from mails join accounts on accounts.id = mails.account_id
     left join lateral (
       select name, email, phone from contacts
       where contacts.account_id = mails.account_id order by phone is null, seq limit 1
     ) as contact on true
     where ${UNSETTLED} and (state <> 'waiting' or failures >= $1 or ${IS_REFUSED}) order by mails.seq`,
    [ALARMING_FAILURES],
  );
  return rows.map(toFinding);
};

const toFinding = (row: UnreachedRow): Finding => ({
  subject: row.id,
  accountId: row.account_id,
  message:
    `Account ${accountName(row)} was not notified of dispatch ${row.dispatch_id} (${row.event}): no webhook, poll or VEN ` +
    `confirmed it in time, and no mail was sent to its contacts: ${whyUnsent(row)}. ${whatToDo(row)}`,
});

const whyUnsent = ({ state, failures, last_error, is_refused }: UnreachedRow): string => {
  if (is_refused) return `the mail server refused every contact (${last_error}); correct an address`;
  switch (state) {
    case "no_contacts":
      return "it has no contact; add one with `curtail admin contacts add`";
    case "kept":
      return "there is no mail server; set CURTAIL_SMTP_URL";
    case "expired":
      return "the mail server did not accept the mail for a day; check CURTAIL_SMTP_URL and the mail server";
    case "waiting":
      return `sending the mail failed ${failures} times (${last_error}); check CURTAIL_SMTP_URL and the mail server`;
  }
};

const whatToDo = ({ contact_name, contact_email, contact_phone }: UnreachedRow): string =>
  contact_name === null
    ? "Phone the account, then acknowledge this alarm."
    : `Contact ${contact_name}, ${contact_phone ?? contact_email}, then acknowledge this alarm.`;
