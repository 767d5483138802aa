import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type StandingFilter,
  type StandingResults,
  standingResults,
} from "../../../../src/performance/operations/final/standing-results.js";
import { listDispatchResults } from "../../../../src/performance/operations/report/dispatch-results.js";
import { standingReader } from "../../../../src/performance/storage/standing-reader.js";
import type { Queryable } from "../../../../src/platform/database/database.js";
import { expectError } from "../../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilVersions,
  uploadIntervals,
} from "../../../support/measuring.js";
import { firstOf } from "../../../support/metering.js";
import { type Running, running } from "../../../support/running.js";

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
    sharedIn: async () => ({ of: async () => new Map(), know: async () => {} }),
    reached: async () => [],
  };
  const filter = { tests: "included", order: "oldest", programId } as const;
  const page = await listDispatchResults(ports, filter, new Date("2026-07-20T00:00:00Z"), { after: null, limit: 20 });
  expect(page).toMatchObject({ items: ids.map((id) => ({ dispatch: { id }, sites: 1, commitmentKw: 40 })) });
  expect(statements).toBe(3);
});

describe("a month of many dispatches", () => {
  const DISPATCHES = 900;
  const SITES = 20;
  let accountId: string;

  // By SQL: 18,000 results of nobody's readings.
  beforeAll(async () => {
    const participant = await service.newParticipant({ sites: Array.from({ length: SITES }, () => ["main"]) });
    ({ accountId } = participant);
    const programId = await measuredProgram(service, [participant], { commitment: 40 });
    service.clock.set(new Date("2026-08-31T00:00:00Z"));
    const id = await dispatchBetween(service, programId, ["2026-07-20T18:00:00Z", "2026-07-20T19:00:00Z"]);
    await service.database.pool.query(
      `with past as (
         insert into dispatches (id, program_id, program_name, program_timezone, program_market, program_type, test,
           authorized, start_time, end_time, notification_time, modification_number, created_at, changed_at)
         select 'dis_many_' || n, program_id, program_name, program_timezone, program_market, program_type, false, true,
           at, at + interval '1 hour', at, 0, at, at
         from dispatches cross join generate_series(1, $2::int) as n
         cross join lateral (select timestamptz '2026-07-01T00:00:00Z' + n * interval '40 minutes' as at) as started
         where dispatches.id = $1 returning id
       ), called as (
         insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id,
           dispatch_group, commitment_kw)
         select past.id, position, site_id, account_id, name, '', '', 40
         from past cross join dispatch_sites where dispatch_id = $1 returning dispatch_id
       )
       insert into performance_versions (dispatch_id, version, at, reason) select id, 1, now(), 'complete' from past`,
      [id, DISPATCHES],
    );
  });

  test("takes three statements for each 1,000 results, which are all that it holds", async () => {
    const { pool } = service.database;
    let statements = 0;
    let mostRows = 0;
    const query = async (text: string, values: unknown[]) => {
      const answer = await pool.query(text, values);
      statements += 1;
      mostRows = Math.max(mostRows, answer.rows.length);
      return answer;
    };
    const reader = standingReader({ query } as unknown as Queryable);
    const period = { fromMs: Date.parse("2026-07-01T00:00:00Z"), toMs: Date.parse("2026-08-01T00:00:00Z") };
    const found = new Set<string>();
    const starts: number[] = [];
    for await (const { dispatch, sites, standing } of standingResults(reader, period, { accountId })) {
      found.add(dispatch.id);
      starts.push(dispatch.startMs);
      expect(sites).toHaveLength(SITES);
      expect(standing?.version ?? 1).toBe(1);
    }
    expect(found.size).toBe(DISPATCHES + 1);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(mostRows).toBeLessThanOrEqual(1000);
    expect(statements).toBeLessThanOrEqual(3 * Math.ceil(((DISPATCHES + 1) * SITES) / 1000));
  });

  test("has a report by pages of rows, with the same total on each", async () => {
    const query = { from: "2026-07-01", to: "2026-07-31", account_id: accountId };
    const whole = await service.made(operator.getAnyPerformanceReport, { query });
    expect(whole.rows).toHaveLength(SITES);
    expect(whole.next_cursor).toBeNull();
    expect(whole.total).toMatchObject({ dispatches: DISPATCHES + 1, calls: (DISPATCHES + 1) * SITES });
    const rows = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await service.made(operator.getAnyPerformanceReport, {
        query: { ...query, limit: 8, ...(cursor === undefined ? {} : { cursor }) },
      });
      expect(page.rows.length).toBeLessThanOrEqual(8);
      expect(page.total).toEqual(whole.total);
      rows.push(...page.rows);
      cursor = page.next_cursor;
    }
    expect(rows).toEqual(whole.rows);
  });

  test("refuses a cursor of another list, and a page of more rows than a reply has", async () => {
    const query = { from: "2026-07-01", to: "2026-07-31", account_id: accountId };
    const asked = (more: object) =>
      service.operator(operator.getAnyPerformanceReport, { query: { ...query, ...more } });
    expectError(await asked({ cursor: "czEy" }), 400, /cursor is not valid/);
    expectError(await asked({ cursor: "dCUl" }), 400, /cursor is not valid/);
    expectError(await asked({ limit: 2001 }), 400, /limit/);
  });
});
