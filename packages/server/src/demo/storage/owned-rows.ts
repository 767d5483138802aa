import { alarmsThat } from "../../platform/alarm.js";
import { SHARDED_TABLES } from "../../platform/database/shard-statement.js";

/** What rows of accounts may belong to; `key` is a site's number, `rehearsal` a dispatch of the sandbox. */
export type Owner =
  | "account"
  | "program"
  | "site"
  | "key"
  | "user"
  | "apiKey"
  | "ven"
  | "client"
  | "statement"
  | "scenario"
  | "dispatch"
  | "rehearsal"
  | "alarm"
  | "message"
  | "trial"
  | "passing"
  | "object";

/** Rows of a table that belong to accounts. */
export interface OwnedRows {
  readonly table: string;
  /** Those of a demo, as a condition; without one, all: every account is the demo's. */
  readonly where?: string;
  /** What the column that says whose they are refers to: so those of the simulated site are found among real ones. */
  readonly owners: ReadonlyArray<readonly [column: string, owner: Owner]>;
}

const participants = "select id from users where account_id is not null";
const by =
  (column: string, owner: Owner) =>
  (...tables: string[]): OwnedRows[] =>
    tables.map((table) => ({ table, owners: [[column, owner]] }));
const byAccount = by("account_id", "account");
const byDispatch = by("dispatch_id", "dispatch");
const byRehearsal = by("dispatch_id", "rehearsal");
const byScenario = by("scenario_id", "scenario");
const bySite = by("site_id", "site");
const byKey = by("site", "key");
const byVen = by("ven", "ven");
const byClient = by("client_id", "client");
const byStatement = by("statement_id", "statement");
const ofPeople = (...tables: string[]): OwnedRows[] =>
  tables.map((table) => ({ table, where: `user_id in (${participants})`, owners: [["user_id", "user"]] }));
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

const objects = (where: string, owner: Owner = "object"): OwnedRows => ({
  table: "openadr3_objects",
  where,
  owners: [["id", owner]],
});
const ofClients = (table: string, column = "client_id"): OwnedRows => ({
  table,
  where: `${column} in (${clientsOfAccounts})`,
  owners: [[column, "client"]],
});

/** Everything that belongs to accounts, in an order that respects references. */
export const ownedRows: readonly OwnedRows[] = [
  // What would still be sent, and the sign-ins and keys that would still work.
  { table: "messages", where: "event like 'dispatch.%'", owners: [["id", "message"]] },
  ...by("message_id", "message")("escalations"),
  ...byAccount("api_keys"),
  ...byVen("ven_pushes", "ven_claims", "ven_certificates"),
  ...by("id", "trial")("sandbox.messages"),
  {
    table: "calendars",
    where: `user_id in (${participants}) or ${ofPrograms("program_id")}`,
    owners: [
      ["user_id", "user"],
      ["program_id", "program"],
    ],
  },
  ...ofPeople("push_subscriptions", "notice_preferences", "devices", "recovery_codes", "user_invitations", "sessions"),
  { table: "alarms", where: `kind not in ${SERVICE_ALARMS}`, owners: [["id", "alarm"]] },
  {
    table: "messages",
    where: `account_id is not null or not exists (select from alarms where alarms.id = messages.subject)`,
    owners: [["id", "message"]],
  },
  { table: "users", where: "account_id is not null", owners: [["id", "user"]] },
  // Evidence.
  ...by("mail_id", "message")("mail_recipients", "mail_handovers"),
  {
    table: "message_attempts",
    owners: [
      ["message_id", "message"],
      ["message_id", "passing"],
    ],
  },
  ...byDispatch("dispatch_page_reads", "dispatch_reads", "dispatch_revisions", "phone_calls"),
  ...byAccount("account_polls"),
  ...byVen(
    "ven_notices",
    "ven_showings",
    "ven_acknowledgements",
    "ven_omissions",
    "ven_push_attempts",
    "ven_push_drops",
  ),
  ...byVen("ven_errors", "ven_events"),
  ...byDispatch("notices"),
  ...byAccount("webhooks"),
  ...by("message_id", "trial")("sandbox.message_attempts"),
  ...byScenario("sandbox.scenario_acts", "sandbox.scenario_steps"),
  ...by("id", "scenario")("sandbox.scenarios"),
  ...byRehearsal("sandbox.notices"),
  ...byAccount("sandbox.webhooks", "sandbox.readings"),
  ...byRehearsal("sandbox.dispatch_revisions", "sandbox.dispatch_sites"),
  ...by("id", "rehearsal")("sandbox.dispatches"),
  ...byAccount("sandbox.integration_certificates"),
  ...byDispatch("performance_results", "performance_versions"),
  ...byKey("late_notes", "load_profiles"),
  ...byDispatch("late_corrections"),
  ...bySite("excluded_days"),
  ...byDispatch("site_decisions"),
  ...byClient("openadr3_answers", "openadr3_showings", "openadr3_notices", "openadr3_polls"),
  { table: "passing_messages", where: since("created_at"), owners: [["id", "passing"]] },
  // Reports say nothing of the simulated site.
  {
    table: "shift_report_versions",
    where: `report_id in (select id from shift_reports where ${since("kept_at")})`,
    owners: [],
  },
  { table: "shift_reports", where: since("kept_at"), owners: [] },
  // Business logic is the operator's, with what it wrote.
  objects(`object_type in ('REPORT', 'SUBSCRIPTION', 'RESOURCE') and ${ofAccounts}`),
  objects(`object_type = 'EVENT' and ${ofAccounts}`),
  objects(ofAccounts),
  {
    table: "openadr3_changes",
    where: `${since("at")} and ${isGone}`,
    owners: [
      ["object_id", "object"],
      ["client_id", "client"],
      ["ven_id", "object"],
      ["source_id", "dispatch"],
      ["source_id", "site"],
      ["source_id", "program"],
      ["source_id", "client"],
    ],
  },
  ofClients("openadr3_report_sizes"),
  ofClients("openadr3_change_sizes"),
  ofClients("openadr3_broker_findings", "subject"),
  { table: "openadr3_clients", where: "account_id is not null", owners: [["id", "client"]] },
  ...byStatement("statement_sites", "statement_versions"),
  ...byAccount("statements"),
  ...byDispatch("dispatch_sites"),
  ...by("id", "dispatch")("dispatches"),
  ...bySite("availability_blocks", "enrolments"),
  ...byKey(...SHARDED_TABLES),
  ...bySite("meters"),
  ...byAccount(
    "sites",
    "mapping_profiles",
    "vens",
    "contacts",
    "channel_addresses",
    "request_log",
    "sandbox.request_log",
  ),
  // Answers to operators' keys stay for a day, like any other.
  { table: "kept_answers", where: "holder like 'key:%'", owners: [["holder", "apiKey"]] },
  { table: "sandbox.kept_answers", where: "holder like 'key:%'", owners: [["holder", "apiKey"]] },
  { table: "program_terms", where: ofPrograms("program_id"), owners: [["program_id", "program"]] },
  { table: "programs", where: ofPrograms("id"), owners: [["id", "program"]] },
  ...by("id", "account")("accounts"),
];
