import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { dispatchStore } from "../../../src/dispatch/storage/dispatch-store.js";
import { ahead, newProgram } from "../../support/dispatching.js";
import { running } from "../../support/running.js";

test("ten thousand sites that are dispatched already take some ten times as long to find as a thousand", async () => {
  const service = await running();
  const { accountId } = await service.newParticipant();
  const { pool } = service.database;
  await pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select 'site_many_' || n, $1, 'Site ' || n, '', '', 'UTC', now() from generate_series(1, 10000) as n`,
    [accountId],
  );
  const program_id = await newProgram(service, [], { name: "Many" });
  await pool.query(
    `insert into enrolments (program_id, site_id, commitment_kw)
     select $1, 'site_many_' || n, 5 from generate_series(1, 10000) as n`,
    [program_id],
  );
  const period = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
  const issue = () => service.made(operator.createDispatch, { body: { program_id, ...period } });
  await issue();
  const { sites } = await issue();
  expect(sites.filter(({ overlaps }) => overlaps.length === 1)).toHaveLength(10_000);
  const ids = sites.map(({ id }) => id);
  const search = { from: new Date(period.start_time), to: new Date(period.end_time), exceptId: null };
  const fastestMs = async (siteIds: readonly string[]) => {
    const times = [];
    for (let round = 0; round < 5; round++) {
      const began = performance.now();
      expect(await dispatchStore(pool).meeting(siteIds, search)).toHaveLength(2);
      times.push(performance.now() - began);
    }
    return Math.min(...times);
  };
  const few = await fastestMs(ids.slice(0, 1000));
  expect(await fastestMs(ids)).toBeLessThan(30 * few + 20);
});
