import type pg from "pg";
import { alarmsThat } from "../../platform/alarm.js";
import { appended } from "../../platform/database/commits.js";
import { inTransaction, type Queryable } from "../../platform/database/database.js";
import type { ArchivedFiles } from "../../platform/files/archive-folder.js";
import { DEMO_ID } from "../domain/demo.js";
import type { DemoRemains } from "../operations/remove-demo.js";

/** Some rows of a table, as a condition; without one, all: every account is the demo's. */
interface Part {
  readonly table: string;
  readonly where?: string;
}

const participants = "select id from users where account_id is not null";
const ofPeople = (...tables: string[]): Part[] =>
  tables.map((table) => ({ table, where: `user_id in (${participants})` }));
const all = (...tables: string[]): Part[] => tables.map((table) => ({ table }));
const ofPrograms = (column: string): string => `${column} = any((select program_ids from demo)::text[])`;

/** Alarms of the service itself are none of the demo's. */
const SERVICE_ALARMS = `(${alarmsThat(({ ofService }) => ofService === true)
  .map((kind) => `'${kind}'`)
  .join(", ")})`;

const clientsOfAccounts = "select id from openadr3_clients where account_id is not null";

/** OpenADR objects of accounts: of their VENs, or made from what the demo has. */
const isOfAccounts = (table: string): string =>
  `(${table}.source in ('dispatch', 'client', 'site')
    or ${table}.source = 'program' and ${ofPrograms(`${table}.source_id`)}
    or ${table}.client_id in (${clientsOfAccounts}))`;
/** Those, and what business logic wrote for them. */
const ofAccounts = `(${isOfAccounts("openadr3_objects")} or exists (select from openadr3_objects as referred
  where referred.id in (openadr3_objects.program_id, openadr3_objects.event_id, openadr3_objects.ven_id)
    and ${isOfAccounts("referred")}))`;
const isGone = "not exists (select from openadr3_objects where id = object_id)";
/** What was sent while the demo was on. */
const since = (column: string): string => `${column} >= (select started_at from demo)`;

/** Everything that belongs to accounts, in an order that respects references. */
const parts: readonly Part[] = [
  // What would still be sent, and the sign-ins and keys that would still work.
  { table: "messages", where: "event like 'dispatch.%'" },
  ...all("escalations", "api_keys", "ven_pushes", "ven_claims", "ven_certificates"),
  ...all("sandbox.messages"),
  { table: "calendars", where: `user_id in (${participants}) or ${ofPrograms("program_id")}` },
  ...ofPeople("push_subscriptions", "notice_preferences", "devices", "recovery_codes", "user_invitations", "sessions"),
  { table: "alarms", where: `kind not in ${SERVICE_ALARMS}` },
  {
    table: "messages",
    where: `account_id is not null or not exists (select from alarms where alarms.id = messages.subject)`,
  },
  { table: "users", where: "account_id is not null" },
  // Evidence.
  ...all("mail_recipients", "mail_handovers"),
  ...all(
    "message_attempts",
    "dispatch_page_reads",
    "dispatch_reads",
    "dispatch_revisions",
    "phone_calls",
    "account_polls",
  ),
  ...all("ven_notices", "ven_showings", "ven_acknowledgements", "ven_omissions", "ven_push_attempts", "ven_push_drops"),
  ...all("ven_errors", "ven_events", "notices", "webhooks"),
  ...all("sandbox.message_attempts", "sandbox.scenario_acts", "sandbox.scenario_steps", "sandbox.scenarios"),
  ...all("sandbox.notices", "sandbox.webhooks", "sandbox.dispatch_revisions", "sandbox.dispatch_sites"),
  ...all("sandbox.dispatches", "sandbox.integration_certificates"),
  ...all(
    "performance_results",
    "performance_versions",
    "late_notes",
    "late_corrections",
    "excluded_days",
    "site_decisions",
  ),
  ...all("openadr3_answers", "openadr3_showings", "openadr3_notices", "openadr3_polls"),
  { table: "passing_messages", where: since("created_at") },
  // Business logic is the operator's, with what it wrote.
  { table: "openadr3_objects", where: `object_type in ('REPORT', 'SUBSCRIPTION', 'RESOURCE') and ${ofAccounts}` },
  { table: "openadr3_objects", where: `object_type = 'EVENT' and ${ofAccounts}` },
  { table: "openadr3_objects", where: ofAccounts },
  { table: "openadr3_changes", where: `${since("at")} and ${isGone}` },
  { table: "openadr3_report_sizes", where: `client_id in (${clientsOfAccounts})` },
  { table: "openadr3_change_sizes", where: `client_id in (${clientsOfAccounts})` },
  { table: "openadr3_broker_findings", where: `subject in (${clientsOfAccounts})` },
  { table: "openadr3_clients", where: "account_id is not null" },
  ...all("statement_sites", "statement_versions", "statements"),
  ...all("dispatch_sites", "dispatches", "availability_blocks", "enrolments"),
  ...all("telemetry_hours", "telemetry_days", "charge_hours", "controllable_load", "meters", "sites"),
  ...all("mapping_profiles", "vens", "contacts", "channel_addresses", "request_log", "sandbox.request_log"),
  // Answers to operators' keys stay for a day, like any other.
  { table: "kept_answers", where: "holder like 'key:%'" },
  { table: "sandbox.kept_answers", where: "holder like 'key:%'" },
  { table: "program_terms", where: ofPrograms("program_id") },
  { table: "programs", where: ofPrograms("id") },
  ...all("accounts"),
];

/** Rows deleted at once: some milliseconds. */
const BATCH = 2000;
const FILES = 50;

/** What a demo leaves in the database and in the folder of archived telemetry. */
export const demoRemains = (pool: pg.Pool, archive: ArchivedFiles): DemoRemains => ({
  // The files come after everything else: their rows say which there are.
  parts: parts.length + 1,
  async deleteSome(at) {
    const part = parts[at];
    return part === undefined ? removeFiles(pool, archive) : (await deleteBatch(pool, part)) < BATCH;
  },
  async deleteRest() {
    await inTransaction(pool, async (client) => {
      await client.query("select from demo for update");
      for (const { table, where = "true" } of parts) await client.query(`delete from ${table} where ${where}`);
      await client.query(GONE);
      appended(client, "demo.remove");
      const { rowCount } = await client.query("delete from demo where not exists (select from telemetry_archives)");
      if (rowCount !== 1) throw new Error("telemetry of the demo was archived meanwhile; removing it again");
    });
  },
});

const deleteBatch = async (db: Queryable, { table, where = "true" }: Part): Promise<number> => {
  // Whoever remembers what is deleted forgets it with the commit.
  const { rows } = await db.query<{ count: number }>(
    `with gone as (
       delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit $1)) returning 1
     ), noted as (${GONE} where exists (select from gone))
     select count(*) as count from gone`,
    [BATCH],
  );
  const [{ count } = { count: 0 }] = rows;
  if (count > 0) appended(db, "demo.remove");
  return count;
};

const GONE = `insert into journal (at, kind, subject) select now(), 'demo.remove', '${DEMO_ID}'`;

/** A file before its row: after a kill in between, removing it again does nothing. */
const removeFiles = async (db: Queryable, archive: ArchivedFiles): Promise<boolean> => {
  const { rows } = await db.query<{ seq: number; file: string }>(
    "select seq, file from telemetry_archives order by seq limit $1",
    [FILES],
  );
  for (const { file } of rows) await archive.remove(file);
  await db.query("delete from telemetry_archives where seq = any($1)", [rows.map(({ seq }) => seq)]);
  return rows.length < FILES;
};
