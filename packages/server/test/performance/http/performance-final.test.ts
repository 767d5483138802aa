import { operator } from "@curtail/contract";
import { testOffLog } from "@curtail/testing/with-log";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  at,
  type Dispatched,
  dispatched,
  prepare,
  START,
  service,
  stateOf,
  versionsOf,
} from "../../support/final-results.js";
import { performanceOf, sitePerformanceOf, untilVersions } from "../../support/measuring.js";

beforeAll(prepare);

test("a result is final when the last cell of the hour after the end is in", async () => {
  const { id, load } = await dispatched();
  at(115);
  for (const site of [0, 1]) await load(0, 115, 60, site);
  expect(await stateOf(id)).toBe("ended");
  at(125);
  await load(115, 120, 60, 0);
  await performanceOf(service, id);
  expect(await versionsOf(id)).toEqual([]);
  await load(115, 120, 60, 1);
  await untilVersions(service, id, 1);
  expect(await performanceOf(service, id)).toMatchObject({
    state: "final",
    version: 1,
    versions: [{ version: 1, reason: "complete" }],
    totals: { delivered_energy_kwh: 80, now: { reduction_kw: 80, performance: 1 } },
    sites: [{ mean_reduction_kw: 40, rebound: { cells_present: 120 } }, { mean_reduction_kw: 40 }],
  });
});

test("what is missing is waited for, and then the result is final without it", async () => {
  const { id, load } = await dispatched();
  at(130);
  await load(0, 30, 60);
  expect(await stateOf(id)).toBe("ended");
  at(4 * 60 + 1);
  await untilVersions(service, id, 1);
  expect(await performanceOf(service, id)).toMatchObject({
    state: "final",
    versions: [{ reason: "overdue" }],
    sites: [
      { coverage: 0.5, mean_reduction_kw: 40, baseline: "found" },
      { coverage: 0, mean_reduction_kw: null, status: { colour: "grey", words: "no readings" } },
    ],
  });
});

test("final numbers are those of the last moment before, curves and all", async () => {
  const { id, load, siteId } = await dispatched();
  at(122);
  await load(0, 60, 61.3);
  await load(60, 119, 104.7);
  await load(0, 120, 80, 1);
  const measured = () => sitePerformanceOf(service, id, siteId);
  await expect.poll(measured).toMatchObject({ site: { coverage: 1, rebound: { cells_present: 118 } } });
  const { state: _, versions: _versions, version: _version, as_of: _asOf, ...before } = await measured();
  at(4 * 60 + 1);
  await untilVersions(service, id, 1);
  expect(await measured()).toMatchObject(before);
});

const loadOf = async (of: string) =>
  (await service.operator("GET", of)).body.curve.find(
    (cell: { timestamp: string }) => cell.timestamp === "2026-06-10T18:10:00Z",
  ).load_kw;

describe("readings after the final result", () => {
  let made: Dispatched;

  beforeAll(async () => {
    made = await dispatched();
    at(125);
    for (const site of [0, 1]) await made.load(0, 120, 60, site);
    await untilVersions(service, made.id, 1);
  });

  test("that are corrected make a new version of their site, and the old one stays", async () => {
    const { id, load, siteId } = made;
    service.clock.advance({ hours: 24 });
    await load(0, 30, 80);
    await untilVersions(service, id, 2);
    const { sites, versions } = await performanceOf(service, id);
    expect(versions[1]).toMatchObject({ version: 2, reason: "corrected" });
    expect(sites).toMatchObject([{ mean_reduction_kw: 30 }, { mean_reduction_kw: 40 }]);
    const first = await service.made(operator.getAnyDispatchPerformance, { params: { id }, query: { version: 1 } });
    expect(first).toMatchObject({ version: 1, sites: [{ mean_reduction_kw: 40 }, { mean_reduction_kw: 40 }] });
    const path = `/dispatches/${id}/sites/${siteId}/performance`;
    const [one, two] = [`${path}?version=1`, `${path}?version=2`];
    expect([await loadOf(one), await loadOf(two)]).toEqual([60, 80]);
    expectError(await service.operator("GET", `${path}?version=9`), 404, /No such version/);
    expectError(await service.operator("GET", `${path}?version=0`), 400, /version is 0; it must be at least 1/);
  });

  test("that the baseline is computed from make a new version, too", async () => {
    await made.load(-15, 0, 110);
    await untilVersions(service, made.id, 3);
    expect((await performanceOf(service, made.id)).sites[0]).toMatchObject({ mean_reduction_kw: 40 });
  });

  test("that change nothing make none", async () => {
    await made.load(0, 30, 80);
    const waiting = () =>
      service.database.pool
        .query(
          `select 'correction' as what, reason from late_corrections where dispatch_id = $1
           union all
           select 'note', reason from late_notes join sites on key = site where sites.id = $2 and found_at is null`,
          [made.id, made.siteId],
        )
        .then(({ rows }) => rows);
    expect(await waiting()).toEqual([{ what: "note", reason: "corrected" }]);
    await expect
      .poll(async () => {
        service.clock.advance({ seconds: 6 });
        return waiting();
      })
      .toEqual([]);
    expect(await versionsOf(made.id)).toHaveLength(3);
  });

  testOffLog("changes a row")("whose upload died before it was done are found all the same", async () => {
    const { id, siteId } = made;
    const { pool } = service.database;
    await made.load(60, 61, 60, 1);
    // As a crash between the commit and the settling leaves it: the cells are stored, the note is open.
    await pool.query(
      "update telemetry_hours set kw[5] = 0 where site = (select key from sites where id = $1) and hour = $2",
      [siteId, Date.parse(START) / 3_600_000],
    );
    await pool.query(
      `insert into late_notes (site, reason, from_at, to_at, first_noted_at, noted_at, due_at)
       select key, 'corrected', $2, $2, $3, $3, $3::timestamptz + interval '2 minutes' from sites where id = $1`,
      [siteId, START, service.clock.now()],
    );
    service.clock.advance({ minutes: 3 });
    await untilVersions(service, id, 4);
  });
});
