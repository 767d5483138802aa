import type { AlarmListing, AlarmStore, FirstContact, NamedAlarm, NamedDispatch } from "../../platform/alarm-ports.js";
import { takeTurn } from "../../platform/database/advisory-locks.js";
import { type RowOf, selection } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import { readFirst } from "../../platform/database/read.js";
import type { JournalKinds } from "../../platform/journal.js";
import { CAUSE, FIRST_CONTACT, isShelved } from "./alarm-group-reader.js";
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

/** What lists show of it besides. */
const attendedRow = selection("alarms", ["dispatch_id", "reason", "acknowledged_by", "assigned_to", "shelved_until"]);
const dispatchRow = selection("dispatches", ["program_name", "program_timezone", "start_time", "end_time"]);
type NamedRow = AlarmRow &
  RowOf<typeof attendedRow> &
  RowOf<typeof dispatchRow> & {
    readonly cause: string;
    readonly account_name: string | null;
    readonly contact: FirstContact | null;
  };

const listings: Readonly<Record<AlarmListing, string>> = {
  standing: "cleared_at is null",
  open: `cleared_at is null and acknowledged_at is null and not ${isShelved("$3::timestamptz")}`,
  acknowledged: `cleared_at is null and acknowledged_at is not null and not ${isShelved("$3::timestamptz")}`,
  shelved: `cleared_at is null and ${isShelved("$3::timestamptz")}`,
  cleared: "cleared_at is not null",
  all: "true",
};

const NAMED = `select alarms.*, ${CAUSE} as cause, ${dispatchRow.columns}, accounts.name as account_name, ${FIRST_CONTACT} as contact
  from alarms left join accounts on accounts.id = account_id left join dispatches on dispatches.id = alarms.dispatch_id`;

const namedFrom = (row: NamedRow): NamedAlarm => ({
  ...alarmRow.camel(row),
  ...attendedRow.camel(row),
  cause: row.cause,
  accountName: row.account_name,
  dispatch: dispatchFrom(row),
  contact: row.contact,
});

/** The columns are null if there is none. */
const dispatchFrom = (row: NamedRow): NamedDispatch | null => {
  const { programName, programTimezone: timezone, startTime: start, endTime: end } = dispatchRow.camel(row);
  return (programName as string | null) === null ? null : { programName, timezone, start, end };
};

/** What is raised again within its shelf stays shelved: an alarm that comes and goes is what shelves are for. */
const STILL_SHELVED = `(select max(shelved_until) from alarms as before
  where before.kind = found.kind and before.subject = found.subject and before.shelved_until > found.raised_at)`;

export const alarmStore = (db: Queryable): AlarmStore => ({
  takeTurn: () => takeTurn(db, "alarms"),
  conditions: (now, kinds) => conditionsOf(db, now, kinds),
  async raise(alarms) {
    if (alarms.length === 0) return [];
    const { rows } = await db.query<AlarmRow>(
      `with raised as (
         insert into alarms (id, kind, subject, account_id, message, raised_at, reason, shelved_until)
         select found.*, ${STILL_SHELVED}
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[])
           as found (id, kind, subject, account_id, message, raised_at, reason)
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
        alarms.map(({ reason }) => reason ?? null),
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
  async list({ listing, group, now }, page) {
    const inGroup = "cleared_at is null and coalesce(dispatch_id, '') = $4 and kind = any($5)";
    const { rows } = await db.query<NamedRow>(
      `${NAMED} where ${listings[listing]} and ($1::bigint is null or alarms.seq < $1) and ($3::timestamptz is not null)
         and ${group === null ? "true" : inGroup} order by alarms.seq desc limit $2`,
      [...pageParameters(page), now, ...(group === null ? [] : [group.dispatchId ?? "", group.kinds])],
    );
    return pageOf(rows, page, namedFrom);
  },
  find: (id) => readFirst(db, namedFrom, `${NAMED} where alarms.id = $1`, [id]),
  lock: (id) => readFirst(db, alarmRow.camel, "select * from alarms where id = $1 for update", [id]),
  async saveNote(id, note) {
    await db.query("update alarms set note = $2 where id = $1", [id, note]);
  },
  async saveAcknowledgement({ id, acknowledgedAt, clearedAt }, by) {
    await db.query(
      `with saved as (update alarms set acknowledged_at = $2, cleared_at = $3, acknowledged_by = $4 where id = $1 returning *),
       cleared as (select * from saved where cleared_at is not null)
       ${notedAs("cleared", "alarm.clear", "cleared_at")}`,
      [id, acknowledgedAt, clearedAt, by],
    );
    if (clearedAt !== null) appended(db, "alarm.clear");
  },
});

const notedAs = (alarms: string, kind: JournalKinds["alarm"], at: string): string =>
  `insert into journal (at, kind, subject, accounts)
   select ${at}, '${kind}', id, case when account_id is not null then array[account_id] end from ${alarms} order by seq`;
