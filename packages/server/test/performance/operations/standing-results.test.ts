import { operator } from "@curtail/contract";
import { beforeAll, expect, test } from "vitest";
import { listDispatchResults } from "../../../src/performance/operations/dispatch-results.js";
import {
  type StandingFilter,
  type StandingResults,
  standingResults,
} from "../../../src/performance/operations/standing-results.js";
import { standingReader } from "../../../src/performance/storage/standing-reader.js";
import type { Queryable } from "../../../src/platform/database/database.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const JUNE = { fromMs: Date.parse("2026-06-01T00:00:00Z"), toMs: Date.parse("2026-07-01T00:00:00Z") };
const hour = (day: string, from: number) =>
  [`2026-06-${day}T${from}:00:00Z`, `2026-06-${day}T${from + 1}:00:00Z`] as const;

const standing = async (filter: StandingFilter): Promise<readonly StandingResults[]> => {
  const found: StandingResults[] = [];
  for await (const each of standingResults(standingReader(service.database.pool), JUNE, filter)) found.push(each);
  return found;
};

const ids = async (filter: StandingFilter) => (await standing(filter)).map(({ dispatch }) => dispatch.id);

test("the results of a period are those of the versions that stand, dispatch by dispatch", async () => {
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  const participant = await service.newParticipant();
  const { siteId, meterId } = firstOf(participant);
  const load = (from: string, to: string, kw: number) =>
    uploadIntervals(
      participant,
      meterId,
      intervalsBetween([from, to], 300, () => kw),
    );
  await load("2026-06-05T00:00:00Z", "2026-06-12T00:00:00Z", 100);
  const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
  const voided = await dispatchBetween(service, programId, hour("09", 18));
  const approved = await dispatchBetween(service, programId, hour("10", 18));
  const corrected = await dispatchBetween(service, programId, hour("11", 18));
  const upcoming = await dispatchBetween(service, programId, hour("30", 18));
  await dispatchBetween(service, programId, ["2026-07-01T00:00:00Z", "2026-07-01T01:00:00Z"]);
  for (const id of [voided, approved, corrected]) await untilVersions(service, id, 1);
  await service.made(operator.approvePerformance, { params: { id: approved }, body: { version: 1, note: "agreed" } });
  await service.made(operator.changeDispatch, {
    params: { id: voided },
    body: { authorized: false, void_reason: "called by mistake" },
  });
  await load(...hour("10", 18), 60);
  await load(...hour("11", 18), 70);
  await untilVersions(service, corrected, 2);

  const found = await standing({ programId, siteId });
  expect(
    found.map(({ dispatch, standing, sites: [site] }) => [
      dispatch.id,
      standing?.version ?? null,
      site?.result?.performance.toDate.meanReductionKw ?? null,
    ]),
  ).toStrictEqual([
    [voided, 2, null],
    [approved, 2, 0],
    [corrected, 2, 30],
    [upcoming, null, null],
  ]);
  expect(found[3]?.sites).toMatchObject([{ siteId, commitmentKw: 40, result: null }]);
});

test("other accounts, sites and programs are not in the results", async () => {
  const participant = await service.newParticipant();
  const programId = await measuredProgram(service, [participant], { commitment: 40 });
  const id = await dispatchBetween(service, programId, hour("20", 18));
  const { accountId } = participant;
  expect(await ids({ accountId })).toStrictEqual([id]);
  expect(await ids({ accountId: "acc_other" })).toStrictEqual([]);
  expect(await ids({ siteId: "sit_other" })).toStrictEqual([]);
  expect(await ids({ accountId, programId: "prg_other" })).toStrictEqual([]);
});

/** Reads as the pool does, and notes how many dispatches the database looked at. */
const counting = () => {
  const { pool } = service.database;
  let looked = 0;
  const query = async (text: string, values: unknown[]) => {
    const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
    looked += lookedAt(rows[0]["QUERY PLAN"][0].Plan);
    return pool.query(text, values);
  };
  return { db: { query } as unknown as Queryable, looked: () => looked };
};

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

const lookedAt = (node: PlanNode): number =>
  (node["Relation Name"] === "dispatches" ? node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) : 0) +
  (node.Plans ?? []).reduce((sum, each) => sum + lookedAt(each), 0);

test("a page of past dispatches is read without looking at all of those before it", async () => {
  const participant = await service.newParticipant();
  const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
  const template = await dispatchBetween(service, programId, ["2026-08-01T18:00:00Z", "2026-08-01T19:00:00Z"]);
  // With a version: the service would measure them otherwise.
  await service.database.pool.query(
    `with past as (
       insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test, authorized,
         start_time, end_time, notification_time, modification_number, created_at, changed_at)
       select 'dis_past_' || n, program_id, program_name, program_timezone, program_market, program_type, test, true,
         at, at + interval '1 hour', at, 0, at, at
       from dispatches cross join generate_series(1, 2000) as n
       cross join lateral (select timestamptz '2020-01-01T00:00:00Z' + n * interval '1 day') as day (at) where id = $1
       returning id, end_time
     ), version as (
       insert into performance_versions (dispatch_id, version, at, reason) select id, 1, end_time, 'complete' from past
     )
     insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
     select past.id, 1, site_id, account_id, name, '', '' from past cross join dispatch_sites where dispatch_id = $1`,
    [template],
  );
  await service.database.pool.query("analyze dispatches, dispatch_sites");
  const { db, looked } = counting();
  const first = { tests: "included", order: "newest", programId } as const;
  const now = new Date("2026-07-20T00:00:00Z");
  const page = await standingReader(db).past(first, now, { after: null, limit: 20 });
  expect(page.items.map(({ dispatch }) => dispatch.id)).toEqual(
    Array.from({ length: 20 }, (_, index) => `dis_past_${2000 - index}`),
  );
  expect(looked()).toBeLessThan(100);
  await standingReader(db).past({ ...first, order: "oldest" }, now, { after: page.next, limit: 20 });
  expect(looked()).toBeLessThan(200);
});

test("a page of past dispatches takes three statements, however many it has", async () => {
  const participant = await service.newParticipant();
  const programId = await measuredProgram(service, [participant], { commitment: 40 });
  const ids: string[] = [];
  for (const day of ["21", "22", "23"]) ids.push(await dispatchBetween(service, programId, hour(day, 18)));
  let statements = 0;
  const { pool } = service.database;
  const query = (text: string, values: unknown[]) => {
    statements++;
    return pool.query(text, values);
  };
  const ports = {
    standing: standingReader({ query } as unknown as Queryable),
    sharedIn: async () => async () => new Map(),
    reached: async () => [],
  };
  const filter = { tests: "included", order: "oldest", programId } as const;
  const page = await listDispatchResults(ports, filter, new Date("2026-07-20T00:00:00Z"), { after: null, limit: 20 });
  expect(page).toMatchObject({ items: ids.map((id) => ({ dispatch: { id }, sites: 1, commitmentKw: 40 })) });
  expect(statements).toBe(3);
});
