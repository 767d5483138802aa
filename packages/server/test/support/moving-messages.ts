import type pg from "pg";
import { evidenceStore } from "../../src/notification/storage/evidence-store.js";
import { migrate } from "../../src/platform/database/migrate.js";
import { readMigrations } from "../../src/platform/database/migration.js";
import { leaseFrom } from "../../src/platform/worker/leased-worker.js";
import { emptyDatabase } from "./database.js";
import { database } from "./migrating.js";

const NOTICED = new Date("2026-01-01T00:00:00Z");
export const NOW = new Date("2026-01-01T00:10:00Z");

export const byId = <T extends { readonly id: string }>(items: readonly T[]): readonly T[] =>
  items.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** A dispatch with two notices, and an account with webhooks. */
const DISPATCHED = `
  insert into accounts (id, name, disabled, created_at) values ('acc_1', 'One', false, now());
  insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
    values ('site_1', 'acc_1', 'One', '', '', 'UTC', now());
  insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized, start_time, end_time,
      notification_time, modification_number, created_at, changed_at)
    values ('dis_1', 'prg_test_dispatch', '', 'UTC', '', 'not_specified', true, true, '2026-01-01Z', null, '2026-01-01Z', 1, '2026-01-01Z', '2026-01-01Z');
  insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
    values ('dis_1', 0, 'site_1', 'acc_1', '', '', '');
  insert into notices (dispatch_id, event, due_at, state, modification_number, noted_at)
    values ('dis_1', 'dispatch.create', '2026-01-01Z', 'sent', 0, '2026-01-01Z'), ('dis_1', 'dispatch.update', '2026-01-01Z', 'sent', 1, '2026-01-01Z');
  insert into webhooks (id, account_id, url, events, secret, created_at, deleted_at)
    select 'wh_' || n, 'acc_1', 'https://example.com/' || n, '{dispatch.create}', 's', '2026-01-01Z', case when n = 6 then timestamptz '2026-01-01Z' end
    from generate_series(1, 6) as n`;

export const STATED = `stated as (select seq, modification_number as told_modification from notices)`;
export const ITEM = `select at, channel, what, detail from item order by at, key collate "C"`;

/** A store of the version before a migration, with what `fill` writes. */
export const before = async (migration: string, fill: string) => {
  const { pool } = await database(emptyDatabase);
  const migrations = await readMigrations();
  await migrate(pool, {
    known: migrations.slice(
      0,
      migrations.findIndex(({ name }) => name.endsWith(migration)),
    ),
  });
  await pool.query(`${DISPATCHED}; ${fill}`);
  return { pool, migrate: () => migrate(pool, { known: migrations }) };
};

export const evidenceOf = async (pool: pg.Pool, channels: readonly string[]): Promise<object[]> => {
  const revealed = [0, 1].map((modificationNumber) => ({ modificationNumber, at: NOTICED }));
  const { items } = await evidenceStore(pool).list(
    { dispatchId: "dis_1", accountId: null, revealed, now: NOW },
    { after: null, limit: 1000 },
  );
  const shown = items.filter(({ channel }) => channels.includes(channel));
  return shown.map(({ at, channel, what, detail }) => ({ at, channel, what, detail }));
};

export const lease = (now: Date) => ({ now, leasedUntil: leaseFrom(now), lapsedBefore: now, limit: 100 });
