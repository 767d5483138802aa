// `npm run rows`: writes the columns of every table, after all migrations, as types. A test compares them.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** By database type, as `pg` returns it (`platform/database/database.ts` reads int8 as a number). */
const typeOf = {
  _text: "readonly string[]",
  bool: "boolean",
  bytea: "Buffer",
  float8: "number",
  inet: "string",
  int4: "number",
  int8: "number",
  jsonb: "unknown",
  pg_snapshot: "string",
  text: "string",
  timestamptz: "Date",
  uuid: "string",
  xid8: "string",
  int4multirange: "string",
};

/** Columns whose types are narrower in code than in the database, by the file that has the type. */
const ownTypes = {
  "../access/domain/account.js": {
    "audit_log.actor": "Actor",
    "demo.started_by": "Actor",
    "simulated_site.started_by": "Actor",
    "excluded_days.actor": "Actor",
    "late_corrections.actor": "Actor",
    "late_notes.actor": "Actor",
    "mapping_profiles.saved_by": "Actor",
    "performance_versions.actor": "Actor",
    "phone_calls.actor": "Actor",
    "program_terms.actor": "Actor",
    "rules_adoptions.actor": "Actor",
    "shift_report_versions.actor": "Actor",
    "statement_versions.actor": "Actor",
  },
  "../dispatch/domain/dispatch-members.js": { "dispatches.metadata": "DispatchMetadata" },
  "../demo/domain/demo.js": { "demo.state": 'Demo["state"]' },
  "../demo/domain/simulated-site.js": { "simulated_site.state": 'SimulatedSite["state"]' },
  "../oversight/domain/shift-report.js": { "shift_report_versions.texts": "ShiftTexts" },
  "../platform/alarm.js": { "alarms.kind": "AlarmKind" },
  "../access/domain/api-key.js": {
    "api_keys.environment": "Environment",
    "openadr3_changes.environment": "Environment",
    "openadr3_clients.environment": "Environment",
    "openadr3_objects.environment": "Environment",
    "vens.environment": "Environment",
  },
  "../notification/domain/delivery.js": { "messages.state": 'Delivery["state"]' },
  "../portfolio/domain/measurement.js": {
    "dispatch_sites.baseline": "BaselineSetting",
    "dispatches.baseline": "BaselineSetting",
    "dispatches.holidays": 'MeasurementSettings["holidays"]',
    "dispatches.status_limits": "StatusSetting",
    "enrolments.baseline": "BaselineSetting",
    "programs.baseline": "BaselineSetting",
    "programs.holidays": 'MeasurementSettings["holidays"]',
    "programs.status_limits": "StatusSetting",
  },
  "../portfolio/domain/holidays.js": { "programs.holiday_calendar": "HolidayCalendar" },
  "../portfolio/domain/rules.js": {
    "performance_versions.rules_version": "RulesVersion",
    "rules_adoptions.rules_version": "RulesVersion",
  },
  "../portfolio/domain/program.js": { "programs.openadr": "OpenAdrSettings" },
  "../sandbox/domain/scenario.js": { "scenarios.scenario_type": "ScenarioType" },
  "../access/domain/session.js": { "sessions.end_reason": "RevocationReason" },
  "../portfolio/domain/site.js": { "meters.asset_type": "AssetType", "meters.kwh_means": "KwhMeans" },
  "../access/domain/user.js": { "users.role": "Role" },
  "../openadr/domain/ven.js": {
    "ven_acknowledgements.opt": 'VenAcknowledgement["opt"]',
    "ven_events.opt": 'VenAcknowledgement["opt"]',
    "vens.market_context": 'Ven["marketContext"]',
    "vens.target_resource": "TargetResource",
  },
  "../openadr-3/domain/client.js": { "openadr3_clients.role": 'Openadr3Client["role"]' },
  "../openadr-3/domain/stored-object.js": {
    "openadr3_changes.object_type": "StoredObjectType",
    "openadr3_changes.operation": 'ObjectChange["operation"]',
    "openadr3_changes.source": 'ObjectSource["kind"]',
    "openadr3_objects.object_type": "StoredObjectType",
    "openadr3_objects.source": 'ObjectSource["kind"]',
  },
  "../notification/domain/webhook.js": {
    "messages.event": "WebhookEventName",
    "notices.event": "WebhookEventName",
    "webhooks.events": "readonly WebhookEventName[]",
  },
  "../performance/domain/version.js": { "performance_versions.reason": 'FinalVersion["reason"]' },
  "../settlement/domain/statement.js": {
    "statement_sites.settled": "StoredSite",
    "statement_versions.changes": 'StatementVersion["changes"]',
    "statement_versions.programs": 'StatementVersion["programs"]',
    "statement_versions.reason": 'StatementVersion["reason"]',
    "statement_versions.totals": 'StatementVersion["totals"]',
    "statement_versions.traces": 'StatementVersion["traces"]',
    "statements.waiting": 'Statement["waiting"]',
  },
  "../settlement/domain/terms.js": { "program_terms.terms": "Terms" },
  "../telemetry/operations/mapping-profile.js": { "mapping_profiles.mapping": 'MappingProfile["mapping"]' },
  "../sandbox/operations/scenario-service.js": { "scenario_acts.what": 'ParticipantAct["what"]' },
};

// A table that both the sandbox and production have is the same in both, which a test checks.
const COLUMNS = `
  select distinct on (relname, attnum) relname as table, attname as column, not attnotnull as nullable,
    coalesce(element.typname, type.typname) as type, element.oid is not null as is_array
  from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
  join pg_type as type on type.oid = atttypid
  left join pg_type as element on type.typcategory = 'A' and element.oid = type.typelem
  where nspname in ('public', 'sandbox') and relkind in ('r', 'p') and not relispartition and attnum > 0
    and not attisdropped and relname <> 'schema_migrations'
  order by relname, attnum, nspname`;

/** @param db connected to a migrated database */
export const writeRows = async (db) => {
  const { rows: columns } = await db.query(COLUMNS);
  refuseGone(columns);
  const tables = [...new Set(columns.map(({ table }) => table))].map((table) => {
    const own = columns.filter((column) => column.table === table);
    return `    readonly ${table}: {\n${own.map(lineOf).join("\n")}\n    };`;
  });
  return `${imports()}\n\n${HEAD}\ndeclare module "../platform/database/columns.js" {\n  interface Tables {\n${tables.join("\n")}\n  }\n}\n`;
};

const HEAD =
  "/** The columns of every table as `pg` reads them. Written by `npm run rows` from the migrated schema; not to be edited. */";

const known = new Map(Object.values(ownTypes).flatMap(Object.entries));

const refuseGone = (columns) => {
  const names = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const gone = [...known.keys()].filter((name) => !names.has(name));
  if (gone.length > 0) throw new Error(`scripts/write-rows.mjs names columns that are gone: ${gone.join(", ")}`);
};

const lineOf = ({ table, column, type, is_array, nullable }) => {
  const inDatabase = is_array ? `readonly ${typeOf[type]}[]` : typeOf[type];
  const found = known.get(`${table}.${column}`) ?? inDatabase;
  if (found === undefined) throw new Error(`scripts/write-rows.mjs lacks the type ${type} of ${table}.${column}`);
  return `      readonly ${column}: ${found}${nullable && found !== "unknown" ? " | null" : ""};`;
};

/** Folder by folder, as the formatter orders imports. */
const inOrder = (a, b) => (a.replaceAll("/", " ") < b.replaceAll("/", " ") ? -1 : 1);

const imports = () =>
  Object.entries(ownTypes)
    .sort(([a], [b]) => inOrder(a, b))
    .map(([file, types]) => {
      const names = new Set(Object.values(types).map((type) => /[A-Z]\w*/.exec(type)[0]));
      return `import type { ${[...names].sort().join(", ")} } from "${file}";`;
    })
    .join("\n");

const writeFromMigrations = async () => {
  const { startEmbedded } = await import("@curtail/embedded-postgres");
  const { migrating } = await import("./migrating.mjs");
  const { migrate, openPool } = await migrating();
  const dataDir = await mkdtemp(join(tmpdir(), "curtail-rows-"));
  const embedded = await startEmbedded({ dataDir, log: { info() {}, warn() {}, error() {} } });
  const pool = openPool(embedded.connection, () => {});
  try {
    await migrate(pool);
    await writeFile(new URL("../packages/server/src/app/tables.ts", import.meta.url), await writeRows(pool));
  } finally {
    await pool.end();
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFromMigrations();
