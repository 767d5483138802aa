import { afterAll, beforeAll, expect, test } from "vitest";
import { WARNED_DAYS, warnedDays } from "../../../src/openadr/domain/ven.js";
import { conditionsOf } from "../../../src/oversight/storage/alarm-look-store.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";

const DAY_MS = 86_400_000;
// The clocks of some zones change within two months.
const now = new Date("2026-03-01T12:00:00Z");
let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const besideEachStep = WARNED_DAYS.flatMap((days) =>
  [-DAY_MS, -3_600_000, -1, 0, 1, 3_600_000, DAY_MS].map((ms) => new Date(now.getTime() + days * DAY_MS + ms)),
);

test("a certificate is warned of at the same steps everywhere, also where clocks change", async () => {
  await database.pool.query(
    `with account as (insert into accounts (id, name, disabled, created_at) values ('acc_1', 'Mills', false, now())),
       ven as (
         insert into vens (id, account_id, ven_id, environment, target_resource, target_ven_id, market_context,
           poll_interval_seconds, created_at)
         select 'ven_' || number, 'acc_1', number, 'production', 'site_id', false, '*', 10, now()
         from generate_series(1, cardinality($1::timestamptz[])) as number)
     insert into ven_certificates (fingerprint, ven, pem, not_before, expires_at, created_at)
     select number, 'ven_' || number, '', at - interval '1 day', at, at - interval '1 day'
     from unnest($1::timestamptz[]) with ordinality as each (at, number)`,
    [besideEachStep],
  );
  const expected = besideEachStep.flatMap((at, index) => {
    const days = warnedDays(at, now);
    return days === null ? [] : [`ven_${index + 1} ${days}`];
  });
  for (const zone of ["UTC", "Europe/Berlin"]) {
    const client = await database.pool.connect();
    await client.query(`set time zone '${zone}'`);
    const found = await conditionsOf(client, now, ["certificate_expiring"]);
    client.release(true);
    expect(found.map(({ subject }) => subject).toSorted()).toEqual(expected.toSorted());
  }
});
