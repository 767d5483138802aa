import { ALARMING_FAILURES, type MailAnswer } from "../../notification/domain/mail.js";
import { SUCCESSES } from "../../notification/storage/owed-store.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type AccountRow, accountName, type Finding } from "../../platform/database/finding.js";
import { quote } from "../../platform/quote.js";

type RefusedRow = AccountRow &
  Row<"contacts", "id" | "name" | "email" | "phone"> &
  Row<"mails", "dispatch_id"> & { readonly answer: MailAnswer; readonly reply: string | null; readonly at: Date };

/**
 * Contacts that the mail server refused, for good or again and again (G62): until the address is corrected, it takes a
 * mail for it, or the account was notified of the dispatch otherwise.
 */
export const refusedContacts = async (db: Queryable): Promise<Finding[]> => {
  const { rows } = await db.query<RefusedRow>(
    `select distinct on (contacts.id) contacts.id, contacts.name, contacts.email, phone, contacts.account_id,
       accounts.name as account_name, dispatch_id, answer, reply, handovers.at
     from mail_recipients as refused join mails on mails.id = mail_id
     join mail_handovers as handovers using (mail_id, number)
     join contacts on contacts.account_id = mails.account_id and lower(contacts.email) = lower(refused.email)
     join accounts on accounts.id = contacts.account_id and not disabled
     where (answer = 'refused' or answer = 'deferred' and failures >= $1) and not exists (
       select from mail_recipients as later join mail_handovers as taken using (mail_id, number)
       where lower(later.email) = lower(refused.email) and later.answer = 'accepted' and taken.at >= handovers.at)
     order by contacts.id, handovers.at desc`,
    [ALARMING_FAILURES],
  );
  const notifiedAt = await lastSuccesses(db, rows);
  return rows.filter((row) => (notifiedAt.get(keyOf(row)) ?? row.at) <= row.at).map(toFinding);
};

type Notified = Row<"mails", "account_id" | "dispatch_id">;

const keyOf = ({ account_id, dispatch_id }: Notified): string => `${account_id} ${dispatch_id}`;

const lastSuccesses = async (db: Queryable, refused: readonly Notified[]): Promise<ReadonlyMap<string, Date>> => {
  if (refused.length === 0) return new Map();
  const { rows } = await db.query<Notified & { readonly at: Date }>(
    `select dispatch_id, account_id, max(at) as at from (${SUCCESSES}) as success group by dispatch_id, account_id`,
    [[...new Set(refused.map(({ dispatch_id }) => dispatch_id))]],
  );
  return new Map(rows.map((row) => [keyOf(row), row.at]));
};

const toFinding = (row: RefusedRow): Finding => ({
  subject: row.id,
  accountId: row.account_id,
  message:
    `The mail server ${row.answer === "refused" ? "refused" : "keeps deferring"} mail for contact ${quote(row.name)} ` +
    `<${quote(row.email)}> of account ${accountName(row)}: ${quote(row.reply ?? "no reason")}. Correct the address, and ` +
    `${row.phone === null ? "reach the contact another way" : `phone ${row.phone}`} meanwhile.`,
});
