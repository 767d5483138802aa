import { IS_RUNNING } from "../../dispatch/storage/dispatch-conditions.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type AccountRow, accountName, type Finding } from "../../platform/database/finding.js";
import { formatTimestamp } from "../../platform/timestamp.js";

type OpenRow = Row<"dispatches", "id" | "program_name" | "start_time"> & Row<"programs", "longest_open_hours">;

/** Dispatches without an end that have been running for longer than their program expects (G60). */
export const openForLong = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<OpenRow>(
    `select dispatches.id, program_name, start_time, longest_open_hours
     from dispatches join programs on programs.id = program_id
     where end_time is null and ${IS_RUNNING} and start_time < $1::timestamptz - longest_open_hours * interval '1 hour'
     order by dispatches.seq`,
    [now],
  );
  return rows.map(({ id, program_name, start_time, longest_open_hours: hours }) => ({
    subject: id,
    accountId: null,
    message:
      `The dispatch of ${program_name} that started at ${formatTimestamp(start_time)} has no end and has been running for ` +
      `more than ${hours} hour${hours === 1 ? "" : "s"}. End it if it was forgotten, or set its end. If such dispatches are ` +
      "meant to last longer, raise the program's longest dispatch without an end.",
  }));
};

type CutOffRow = AccountRow &
  Row<"dispatches", "program_name"> & {
    readonly subject: string;
    readonly site_name: string | null;
    readonly cut: "disabled" | "keyless" | "withdrawn";
  };

/** Accounts and sites that dispatches in progress still target, though somebody cut them off meanwhile (G72). */
export const cutOff = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<CutOffRow>({ name: "cut-off-while-dispatched", text: CUT_OFF, values: [now] });
  return rows.map((row) => ({ subject: row.subject, accountId: row.account_id, message: messageOf(row) }));
};

const CUT_OFF = `
  with running as materialized (
    select id, program_id, program_name, notification_time from dispatches where ${IS_RUNNING}
  ), called as materialized (
    select account_id, min(program_name) as program_name, min(notification_time) as since
    from running join dispatch_sites on dispatch_id = running.id group by account_id
  )
  select account_id, accounts.name as account_name, account_id as subject, program_name, null as site_name,
    case when disabled then 'disabled' else 'keyless' end as cut
  from called join accounts on accounts.id = account_id
  where disabled or (
    exists (select from api_keys as key where key.account_id = called.account_id and environment = 'production'
      and claimed_at is not null and revoked_at >= since)
    and not exists (select from api_keys as key where key.account_id = called.account_id and environment = 'production'
      and claimed_at is not null and revoked_at is null and (expires_at is null or expires_at > $1)))
  union all
  select distinct on (site_id) dispatch_sites.account_id, accounts.name, site_id, program_name, dispatch_sites.name, 'withdrawn'
  from running join dispatch_sites on dispatch_id = running.id join accounts on accounts.id = dispatch_sites.account_id
  where was_enrolled and not disabled and not exists (
    select from enrolments where enrolments.program_id = running.program_id and enrolments.site_id = dispatch_sites.site_id)`;

const messageOf = (row: CutOffRow): string => {
  const still = `while it is part of a dispatch of ${row.program_name} in progress`;
  switch (row.cut) {
    case "disabled":
      return (
        `Account ${accountName(row)} was disabled ${still}: it is not notified of changes, and its systems are refused. ` +
        "Phone it about the dispatch, or enable it."
      );
    case "keyless":
      return (
        `The last API key of account ${accountName(row)} was revoked ${still}: its systems can neither read dispatches nor ` +
        "send readings. Phone it about the dispatch, or issue a new key."
      );
    case "withdrawn":
      return (
        `${row.site_name} of account ${accountName(row)} was withdrawn from its program ${still}. Phone the account if the ` +
        "site need not curtail any more; the dispatch itself does not change."
      );
  }
};
