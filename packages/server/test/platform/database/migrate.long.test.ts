import { readdir, readFile } from "node:fs/promises";
import { SERVICE_ROLE } from "@curtail/embedded-postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrate } from "../../../src/platform/database/migrate.js";
import { findSetting } from "../../../src/platform/database/setting-store.js";
import { FOLD_AFTER_SETTING } from "../../../src/telemetry/domain/fold-after.js";
import { PACK_AFTER_SETTING } from "../../../src/telemetry/domain/pack-after.js";
import { decodeColumns } from "../../../src/telemetry/storage/log-batch.js";
import { cloneDatabase } from "../../support/database.js";
import { database } from "../../support/migrating.js";
import { databaseAtVersion, migrations } from "../../support/older-databases.js";

/** One of each object that the steps after version 11 change. */
const inUse = `
  insert into accounts (id, name, disabled, created_at) values ('acc_1', 'Acme', false, now());
  insert into api_keys (id, account_id, environment, claim_token_hash, claim_expires_at, last_used_at, created_at)
    values ('key_1', 'acc_1', 'production', 'a', now(), '2030-01-01T00:00Z', now());
  insert into programs (id, name, timezone, market, program_type, schedule_cutoff_seconds, created_at)
    values ('prg_1', 'P', 'UTC', '', 'capacity', 0, now());
  insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
    start_time, end_time, notification_time, modification_number, created_at, changed_at)
    select 'dis_' || program, program, 'P', 'UTC', '', 'capacity', false, true, now(), null, now(), 1, now(), now()
    from unnest(array['prg_1', 'prg_test_dispatch']) as program;
  insert into dispatch_revisions (dispatch_id, modification_number, at, actor, start_time, authorized)
    values ('dis_prg_1', 1, now() - interval '1 minute', 'operator', now(), true);
  insert into notices (dispatch_id, event, due_at, state) values
    ('dis_prg_1', 'dispatch.create', now(), 'sent'), ('dis_prg_1', 'dispatch.update', now(), 'waiting'),
    ('dis_prg_test_dispatch', 'dispatch.create', now(), 'waiting');
  insert into mails (id, account_id, notice_seq, dispatch_id, event, state, created_at, sent_at, judged_at, given_up_at) values
    ('mail_1', 'acc_1', 1, 'dis_prg_1', 'dispatch.create', 'kept', now(), null, '2030-01-01T00:00Z', now()),
    ('mail_2', 'acc_1', 2, 'dis_prg_1', 'dispatch.update', 'sent', now(), now(), null, null);
  insert into alarms (id, kind, subject, account_id, message, raised_at)
    values ('alm_1', 'notice_failed', 'mail_1', 'acc_1', 'm', now());
  insert into vens (id, account_id, ven_id, environment, target_resource, target_ven_id, market_context,
    poll_interval_seconds, created_at, last_acknowledgement_at)
    values ('ven_1', 'acc_1', 'v', 'production', 'site_id', false, '*', 10, now(), now());
  insert into ven_events (ven, dispatch_id, first_shown_at, shown_modification, modification_shown_at,
    acknowledged_modification, opt, response_code, acknowledged_at)
    values ('ven_1', 'dis_prg_1', now(), 1, now(), 1, 'optOut', '400', now());
  insert into ven_acknowledgements (ven, dispatch_id, modification_number, opt, response_code, at) values
    ('ven_1', 'dis_prg_1', 0, 'optIn', '200', '2030-01-01T00:00Z'), ('ven_1', 'dis_prg_1', 1, 'optOut', '400', now()),
    ('ven_1', 'dis_prg_1', 1, 'optOut', '400', now());
  insert into sandbox.scenarios (id, account_id, scenario_type, speed, created_at, replaced_at) values
    ('scn_1', 'acc_1', 'basic', 1, now(), now()), ('scn_2', 'acc_1', 'basic', 1, now(), null)`;

describe("migrating a database in use of version 11", () => {
  test("keeps its rows, and fills new columns from what is known", async () => {
    const db = await databaseAtVersion(11);
    await db.pool.query(inUse);
    expect((await migrate(db.pool, { serviceRole: SERVICE_ROLE })).applied[0]).toBe("0012_owed_notices.sql");
    const at = new Date("2030-01-01T00:00Z");
    const all = async (query: string) => (await db.servicePool.query({ text: query, rowMode: "array" })).rows;
    expect(await all("select modification_number, owed_look_at is not null from notices order by seq")).toEqual([
      [0, false],
      [1, true],
      [0, false],
    ]);
    expect(
      await all(
        "select id, overdue_at, modification from messages left join escalations on message_id = id where channel = 'email' order by id",
      ),
    ).toEqual([
      ["mail_1", at, null],
      ["mail_2", null, 1],
    ]);
    expect(await all("select account_id, last_at from account_polls")).toEqual([["acc_1", at]]);
    expect(await all("select code, count from ven_errors")).toEqual([["400", 2]]);
    expect(await all("select modification_number from ven_acknowledgements")).toEqual([[0]]);
    expect(await all("select response_code from ven_events")).toEqual([[null]]);
    expect(await all("select last_acknowledgement_at from vens")).toEqual([[at]]);
    expect(await all("select sites from sandbox.scenarios")).toEqual([[0], [0]]);
  });
});

/** A dispatch that was sent to a webhook and two VENs, and an account that was disabled meanwhile. */
const dispatched = `
  insert into accounts (id, name, disabled, created_at) values ('acc_1', 'Acme', true, '2030-01-01T00:00Z');
  insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
    values ('site_1', 'acc_1', '', '', '', 'UTC', now());
  insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
    start_time, notification_time, modification_number, created_at, changed_at)
    values ('dis_1', 'prg_test_dispatch', 'P', 'UTC', '', 'capacity', false, true, '2030-01-02T00:00Z', '2030-01-01T12:00Z', 2,
      '2030-01-01T10:00Z', '2030-01-01T13:00Z');
  insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
    values ('dis_1', 0, 'site_1', 'acc_1', '', '', '');
  insert into dispatch_revisions (dispatch_id, modification_number, at, actor, start_time, authorized) values
    ('dis_1', 0, '2030-01-01T10:00Z', 'operator', '2030-01-02T00:00Z', true),
    ('dis_1', 1, '2030-01-01T11:00Z', 'operator', '2030-01-02T00:00Z', true),
    ('dis_1', 2, '2030-01-01T13:00Z', 'operator', '2030-01-02T00:00Z', true);
  insert into notices (dispatch_id, event, due_at, state, modification_number) values
    ('dis_1', 'dispatch.create', '2030-01-01T12:00Z', 'sent', 0), ('dis_1', 'dispatch.update', '2030-01-01T13:00Z', 'waiting', 2);
  insert into vens (id, account_id, ven_id, environment, site_ids, target_resource, target_ven_id, market_context,
    poll_interval_seconds, created_at) values
    ('ven_1', 'acc_1', 'one', 'production', null, 'site_id', false, '*', 10, '2030-01-01T00:00Z'),
    ('ven_2', 'acc_1', 'two', 'production', '{site_2}', 'site_id', false, '*', 10, '2030-01-01T00:00Z'),
    ('ven_3', 'acc_1', 'three', 'production', null, 'site_id', false, '*', 10, '2030-01-01T12:30Z');
  insert into ven_showings (ven, dispatch_id, modification_number, how, at)
    values ('ven_1', 'dis_1', 1, 'poll', '2030-01-01T12:00:05Z');
  insert into webhooks (id, account_id, url, events, secret, created_at, deleted_at) values
    ('wh_1', 'acc_1', 'https://a.example', '{dispatch.create}', 's', now(), null),
    ('wh_2', 'acc_1', 'https://b.example', '{dispatch.create}', 's', now(), '2030-01-01T12:10Z');
  insert into deliveries (id, webhook_id, notice_seq, dispatch_id, event, state, created_at) values
    ('dlv_1', 'wh_1', 1, 'dis_1', 'dispatch.create', 'dropped', '2030-01-01T12:00Z'),
    ('dlv_2', 'wh_2', 1, 'dis_1', 'dispatch.create', 'dropped', '2030-01-01T12:00Z');
  insert into audit_log (at, actor, action, subject, account_id, before, after) values
    ('2030-01-01T12:20Z', 'operator', 'account.change', 'acc_1', 'acc_1', '{"disabled": false}', '{"disabled": true}')`;

const at = (time: string) => new Date(`2030-01-01T${time}Z`);

describe("migrating a database in use of version 14", () => {
  test("gives evidence what is known of notices that went out, and leaves the others to the service", async () => {
    const db = await databaseAtVersion(14);
    await db.pool.query(dispatched);
    await migrate(db.pool, { serviceRole: SERVICE_ROLE });
    const all = async (query: string) => (await db.servicePool.query({ text: query, rowMode: "array" })).rows;
    expect(await all("select ven, modification_number, at, ven_id, site_ids, poll_by from ven_notices")).toEqual([
      ["ven_1", 1, at("12:00:00"), "one", null, at("12:00:30")],
    ]);
    expect(await all("select noted_at from notices order by seq")).toEqual([[at("12:00:00")], [null]]);
    expect(await all("select acknowledge_by from ven_showings")).toEqual([[at("12:02:05")]]);
    expect(await all("select ended_at, reason from messages order by id")).toEqual([
      [at("12:20:00"), "account_disabled"],
      [at("12:10:00"), "webhook_deleted"],
    ]);
  });
});

test("only a store without accounts packs, and appends to the log, by itself from then on", async () => {
  const [used, fresh] = [await databaseAtVersion(11), await databaseAtVersion(11)];
  await used.pool.query("insert into accounts (id, name, disabled, created_at) values ('acc_1', 'Acme', false, now())");
  for (const db of [used, fresh]) await migrate(db.pool, { serviceRole: SERVICE_ROLE });
  const kept = (db: typeof used) =>
    Promise.all([PACK_AFTER_SETTING, FOLD_AFTER_SETTING].map((name) => findSetting(db.pool, name)));
  expect([await kept(used), await kept(fresh)]).toEqual([
    [null, null],
    ["3", "3600"],
  ]);
});

test("readings that wait in the log of a build made after 0.2.0 are the same as bytes", async () => {
  const db = await databaseAtVersion(162);
  await db.pool.query(`
    insert into telemetry_log (first_hour, last_hour, meters, last_cells, cell_counts, kw) values
      (1, 2, '{7,70000,-1}', '{120,239,240}', '{2}', '{1.5,-2.25,1e300}'), (1, 2, '{8,9}', '{121,122}', '{1,10}', '{0.1,0}')`);
  await migrate(db.pool, { serviceRole: SERVICE_ROLE });
  const { rows } = await db.servicePool.query<{ count: number; readings: Buffer }>(
    "select count, readings from telemetry_log order by seq",
  );
  const columns = rows.map(({ count, readings }) => decodeColumns(count, readings));
  expect(columns).toEqual([
    {
      count: 3,
      series: Int32Array.of(7, 70_000, -1),
      lastCells: Int32Array.of(120, 239, 240),
      cellCounts: Int32Array.of(2, 2, 2),
      values: Float64Array.of(1.5, -2.25, 1e300),
    },
    {
      count: 2,
      series: Int32Array.of(8, 9),
      lastCells: Int32Array.of(121, 122),
      cellCounts: Int32Array.of(1, 10),
      values: Float64Array.of(0.1, 0),
    },
  ]);
});

const migrationOf = async (noun: string): Promise<string> => {
  const name = (await readdir(migrations)).find((each) => each.endsWith(`_${noun}.sql`)) ?? "none";
  return readFile(new URL(name, migrations), "utf8");
};

describe("migrating to emails that are owned once an invitation is accepted", () => {
  test("leaves emails with those who have a password or single sign-on, and nobody else", async () => {
    const db = await database(cloneDatabase);
    const [before, step] = [await migrationOf("users"), await migrationOf("people")];
    const client = await db.pool.connect();
    onTestFinished(() => client.release());
    await client.query("create schema old; set search_path = old");
    await client.query("create table accounts (id text primary key)");
    await client.query(before);
    await client.query(`insert into users (id, email, name, role, password_hash, oidc_issuer, oidc_subject, created_at)
      values ('1', 'a@example.com', 'A', 'operator', 'hash', null, null, now()),
        ('2', 'b@example.com', 'B', 'operator', null, 'issuer', 'subject', now()),
        ('3', 'c@example.com', 'C', 'operator', null, null, null, now())`);
    await client.query(step);
    const { rows } = await client.query("select id from users where accepted_at is not null order by id");
    expect(rows).toEqual([{ id: "1" }, { id: "2" }]);
    const twin =
      "insert into users (id, email, name, role, accepted_at, created_at) values ($1, $2, 'T', 'operator', now(), now())";
    await expect(client.query(twin, ["4", "A@example.com"])).rejects.toThrow(/users_owned_email|users_invited_email/);
  });
});
