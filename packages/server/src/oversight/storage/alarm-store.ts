import { FIRST_CONTACT } from "../../access/storage/contact-store.js";
import type { AlarmListing, AlarmStore, FirstContact } from "../../platform/alarm-ports.js";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import { readFirst } from "../../platform/database/read.js";
import type { JournalKinds } from "../../platform/journal.js";
import { conditionsOf } from "./alarm-look-store.js";

const alarmRow = selection("alarms", [
  "id",
  "kind",
  "subject",
  "account_id",
  "message",
  "raised_at",
  "acknowledged_at",
  "note",
  "cleared_at",
]);
type AlarmRow = Placed<RowOf<typeof alarmRow>>;

const listings: Readonly<Record<AlarmListing, string>> = {
  standing: "cleared_at is null",
  open: "cleared_at is null and acknowledged_at is null",
  acknowledged: "cleared_at is null and acknowledged_at is not null",
  cleared: "cleared_at is not null",
  all: "true",
};

export const alarmStore = (db: Queryable): AlarmStore => ({
  takeTurn: () => takeTurn(db, "alarms"),
  conditions: (now, kinds) => conditionsOf(db, now, kinds),
  async raise(alarms) {
    if (alarms.length === 0) return [];
    const { rows } = await db.query<AlarmRow>(
      `with raised as (
         insert into alarms (id, kind, subject, account_id, message, raised_at)
         select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
         on conflict (kind, subject) where cleared_at is null do nothing returning *
       ), noted as (${notedAs("raised", "alarm.raise", "raised_at")})
       select * from raised`,
      [
        alarms.map(({ id }) => id),
        alarms.map(({ kind }) => kind),
        alarms.map(({ subject }) => subject),
        alarms.map(({ accountId }) => accountId),
        alarms.map(({ message }) => message),
        alarms.map(({ raisedAt }) => raisedAt),
      ],
    );
    if (rows.length > 0) appended(db, "alarm.raise");
    return rows.map(alarmRow.camel);
  },
  async clear(ids, at) {
    if (ids.length === 0) return;
    await db.query(
      `with cleared as (
         update alarms set cleared_at = $2 where id = any($1) and cleared_at is null returning *
       ) ${notedAs("cleared", "alarm.clear", "cleared_at")}`,
      [ids, at],
    );
    appended(db, "alarm.clear");
  },
  async list(listing, page) {
    const { rows } = await db.query<
      AlarmRow & { readonly account_name: string | null; readonly contact: FirstContact | null }
    >(
      `select alarms.*, accounts.name as account_name, ${FIRST_CONTACT} as contact
       from alarms left join accounts on accounts.id = account_id
       where ${listings[listing]} and ($1::bigint is null or alarms.seq < $1) order by alarms.seq desc limit $2`,
      pageParameters(page),
    );
    return pageOf(rows, page, (row) => ({
      ...alarmRow.camel(row),
      accountName: row.account_name,
      contact: row.contact,
    }));
  },
  firstContact: (accountId) =>
    readFirst(db, ({ contact }: { contact: FirstContact | null }) => contact, {
      text: `select ${FIRST_CONTACT} as contact from accounts where id = $1`,
      values: [accountId],
    }),
  lock: (id) => readFirst(db, alarmRow.camel, "select * from alarms where id = $1 for update", [id]),
  async saveNote(id, note) {
    await db.query("update alarms set note = $2 where id = $1", [id, note]);
  },
  async saveAcknowledgement({ id, acknowledgedAt, clearedAt }) {
    await db.query(
      `with saved as (update alarms set acknowledged_at = $2, cleared_at = $3 where id = $1 returning *),
       cleared as (select * from saved where cleared_at is not null)
       ${notedAs("cleared", "alarm.clear", "cleared_at")}`,
      [id, acknowledgedAt, clearedAt],
    );
    if (clearedAt !== null) appended(db, "alarm.clear");
  },
});

const notedAs = (alarms: string, kind: JournalKinds["alarm"], at: string): string =>
  `insert into journal (at, kind, subject, accounts)
   select ${at}, '${kind}', id, case when account_id is not null then array[account_id] end from ${alarms} order by seq`;
