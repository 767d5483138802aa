import type pg from "pg";
import { visibleKinds } from "../../src/app/wire/visible-kinds.js";
import { SERVING } from "../../src/platform/database/database.js";
import type { JournalKind } from "../../src/platform/journal.js";
import type { VisiblePart } from "../../src/platform/stamps.js";

interface Guard {
  readonly table: string;
  /** The changes that readers of the journal follow. */
  readonly on: string;
  /** Of which rows; unless said, of all. */
  readonly when?: string;
  /** Of which a transaction that makes them appends one. */
  readonly kinds: readonly JournalKind[];
  /** What is remembered of them: each of the kinds gives the parts a new stamp. */
  readonly parts?: readonly VisiblePart[];
}

/** Whatever is deleted with a demo. */
const GONE = "demo.remove";
const ANY = "insert or update or delete";

const guards: readonly Guard[] = [
  {
    table: "accounts",
    on: "update of disabled or delete",
    kinds: ["account.change", GONE],
    parts: ["access", "clients"],
  },
  {
    table: "api_keys",
    on: "update of account_id, environment, secret_hash, claimed_at, expires_at, revoked_at or delete",
    kinds: ["key.claim", "key.revoke", GONE],
    parts: ["access"],
  },
  {
    table: "vens",
    on: `update of account_id, ven_id, environment, site_ids, push_url, push_ca, target_resource, target_ven_id,
      market_context, deleted_at or delete`,
    kinds: ["ven.change", "ven.delete", GONE],
    parts: ["access"],
  },
  { table: "ven_certificates", on: ANY, kinds: ["ven.certify", "ven.revoke", GONE], parts: ["access"] },
  { table: "ven_events", on: ANY, kinds: ["ven.shown", "ven.answered", GONE], parts: ["ven_events"] },
  {
    table: "dispatches",
    on: ANY,
    kinds: ["dispatch.create", "dispatch.change", "dispatch.cancel", "dispatch.void", GONE],
    parts: ["dispatches"],
  },
  {
    table: "programs",
    on: "insert or delete or update of name, program_type, is_public",
    kinds: ["program.create", "program.change", GONE],
  },
  { table: "programs", on: "update of openadr", kinds: ["program.change"], parts: ["dispatches"] },
  {
    table: "sites",
    on: "insert or delete or update of account_id, name, customer_location_id",
    kinds: ["site.create", "site.change", GONE],
  },
  { table: "accounts", on: "update of kwh_stamp", kinds: ["meter.change"], parts: ["access"] },
  {
    table: "meters",
    on: "insert or delete or update of site_id, name",
    kinds: ["site.create", "meter.create", "meter.change", GONE],
  },
  {
    table: "openadr3_clients",
    on: "insert or delete or update of name, site_ids, scopes, secret_hash, tokens_from, revoked_at",
    kinds: [
      "openadr3_client.create",
      "openadr3_client.change",
      "openadr3_client.rotate_secret",
      "openadr3_client.revoke",
      GONE,
    ],
    parts: ["clients"],
  },
  {
    table: "sandbox.scenarios",
    on: "insert or update of replaced_at",
    kinds: ["scenario.play", "scenario.end"],
  },
  {
    table: "excluded_days",
    on: ANY,
    kinds: ["excluded_day.create", "excluded_day.change", "excluded_day.delete", GONE],
    parts: ["dispatches"],
  },
  { table: "rules_adoptions", on: ANY, kinds: ["rules.adopt"], parts: ["dispatches"] },
  { table: "enrolments", on: ANY, kinds: ["program.enrol", "program.withdraw", GONE] },
  { table: "program_terms", on: ANY, kinds: ["terms.set", "terms.delete", GONE] },
  { table: "performance_versions", on: "insert", kinds: ["result.version"] },
  { table: "statement_versions", on: "insert", kinds: ["statement.version"] },
  {
    table: "alarms",
    on: "insert or update of cleared_at, acknowledged_at, note, assigned_to, shelved_until",
    kinds: [
      "alarm.raise",
      "alarm.clear",
      "alarm.acknowledge",
      "alarm.note",
      "alarm_group.acknowledge",
      "alarm_group.unacknowledge",
      "alarm_group.assign",
      "alarm_group.shelve",
      "alarm_group.unshelve",
    ],
  },
  { table: "notices", on: "update of noted_at", kinds: ["dispatch.notified"] },
  // Evidence, of which open pages are told.
  {
    table: "messages",
    on: "insert or update of state, resend_at",
    when: "new.channel = 'webhook' or new.account_id is not null and new.event like 'dispatch.%'",
    kinds: ["progress"],
  },
  { table: "escalations", on: "insert", kinds: ["progress"] },
  { table: "dispatch_reads", on: "insert", kinds: ["progress"] },
  { table: "dispatch_page_reads", on: "insert", kinds: ["progress"] },
  { table: "phone_calls", on: "insert", kinds: ["phone_call.record"] },
  { table: "ven_notices", on: "insert", kinds: ["dispatch.notified"] },
  { table: "ven_showings", on: "insert", kinds: ["ven.shown"] },
  { table: "ven_acknowledgements", on: "insert", kinds: ["ven.answered"] },
  { table: "ven_omissions", on: "insert", kinds: ["progress"] },
  { table: "ven_push_attempts", on: "insert", kinds: ["progress"] },
  {
    table: "openadr3_objects",
    on: "insert or update",
    when: "new.object_type <> 'REPORT'",
    kinds: ["openadr3.objects"],
  },
  {
    table: "openadr3_objects",
    on: "delete",
    when: "old.object_type <> 'REPORT'",
    kinds: ["openadr3.objects", "openadr3.prune", GONE],
  },
  { table: "openadr3_notices", on: "insert", kinds: ["progress"] },
  { table: "openadr3_showings", on: "insert", kinds: ["progress"] },
  { table: "openadr3_answers", on: "insert", kinds: ["progress"] },
];

/**
 * Makes a commit of the service fail if it changed a table that is followed and appended no entry of the journal about it.
 * What tests change by themselves is let through: their connections have another name.
 */
export const guardJournal = async (pool: pg.Pool): Promise<void> => {
  await pool.query(`
    create function has_entry() returns trigger language plpgsql set search_path from current as $$
    declare
      checked constant text := 'curtail.' || tg_name;
    begin
      if current_setting('application_name') <> '${SERVING}' or coalesce(current_setting(checked, true), '') <> '' then
        return null;
      end if;
      -- Only \`swallowingEntries\` makes it, to show what happens without entries.
      if exists (select from pg_trigger where tgrelid = 'journal'::regclass and tgname = 'swallows_on_purpose') then
        return null;
      end if;
      if not exists (select from journal where xid = pg_current_xact_id() and kind = any(tg_argv)) then
        raise exception 'a commit that changed % (%) has no entry in the journal: append one of %',
          tg_relid::regclass, tg_op, array_to_string(tg_argv, ', ');
      end if;
      perform set_config(checked, 'yes', true);
      return null;
    end
    $$;
    ${guards.map(triggerOf).join(";\n")}`);
};

const triggerOf = ({ table, on, when = "true", kinds, parts = [] }: Guard, index: number): string => {
  for (const part of parts) {
    const silent = kinds.filter((kind) => !visibleKinds[part].some((each) => each === kind));
    if (silent.length > 0)
      throw new Error(`${silent.join(", ")} gives ${part} no new stamp (app/wire/visible-kinds.ts)`);
  }
  return `create constraint trigger has_entry_${index} after ${on} on ${table} deferrable initially deferred
   for each row when (${when}) execute function has_entry(${kinds.map((kind) => `'${kind}'`).join(", ")})`;
};
