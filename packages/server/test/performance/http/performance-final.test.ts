import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { type Participant, type Running, running } from "../../support/running.js";

// Final results: stored once the last input has arrived, never changed, followed by new versions.
let service: Running;

const START = "2026-06-10T18:00:00Z";
const END = "2026-06-10T19:00:00Z";
const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();
const at = (minutes: number): void => service.clock.set(new Date(minute(minutes)));

beforeAll(async () => {
  service = await running();
});

interface Dispatched {
  readonly id: string;
  readonly anna: Participant;
  readonly siteId: string;
  /** Uploads load between two minutes after the start, of the first or second site. */
  readonly load: (from: number, to: number, kw: number, site?: number) => Promise<void>;
}

/** A dispatch of two sites whose load before it was 100 kW. */
const dispatched = async (
  baseline: Record<string, unknown> = { kind: "meter_before", seconds: 900, anchor: "start" },
): Promise<Dispatched> => {
  at(0);
  const anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  const load: Dispatched["load"] = (from, to, kw, site = 0) =>
    uploadIntervals(
      anna,
      anna.sites[site]?.meters[0] ?? "",
      intervalsBetween([minute(from), minute(to)], 30, () => kw),
    );
  for (const site of [0, 1]) await load(-120, 0, 100, site);
  const programId = await measuredProgram(service, [anna], { baseline: { method: baseline }, commitment: 40 });
  const id = await dispatchBetween(service, programId, [START, END]);
  return { id, anna, load, siteId: anna.sites[0]?.id ?? "" };
};

const stateOf = async (id: string): Promise<string> => (await performanceOf(service, id)).state;
const versionsOf = async (id: string): Promise<Array<{ version: number; at: string; reason: string }>> =>
  (await performanceOf(service, id)).versions;

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

test("a dispatch that is recorded long after it was is complete where nothing of it is missing", async () => {
  at(360);
  const anna = await service.newParticipant({ sites: [["main"]] });
  const [meter = ""] = anna.sites[0]?.meters ?? [];
  await uploadIntervals(
    anna,
    meter,
    intervalsBetween([minute(-120), minute(120)], 30, () => 100),
  );
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
  const id = await dispatchBetween(service, programId, [START, END]);
  await untilVersions(service, id, 1);
  expect(await versionsOf(id)).toMatchObject([{ reason: "complete" }]);
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
    const loadOf = async (of: string) =>
      (await service.operator("GET", of)).body.curve.find(
        (cell: { timestamp: string }) => cell.timestamp === "2026-06-10T18:10:00Z",
      ).load_kw;
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
        .query<{ count: number }>(
          `select (select count(*) from late_corrections where dispatch_id = $1)
             + (select count(*) from late_notes join sites on key = site where sites.id = $2 and found_at is null) as count`,
          [made.id, made.siteId],
        )
        .then(({ rows }) => rows[0]?.count);
    expect(await waiting()).toBe(1);
    await expect
      .poll(async () => {
        service.clock.advance({ seconds: 6 });
        return waiting();
      })
      .toBe(0);
    expect(await versionsOf(made.id)).toHaveLength(3);
  });

  test("whose upload died before it was done are found all the same", async () => {
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

const setFormat = (id: string, siteId: string, format: string) =>
  service.database.pool.query(
    `update performance_results set summary = summary - 'format' || $3::jsonb, detail = detail - 'format' || $3::jsonb
     where dispatch_id = $1 and site_id = $2`,
    [id, siteId, format],
  );

/** Versions of each site's results, and how many of its notes are open. */
const keptOf = async (id: string, siteIds: readonly string[]) => {
  const { rows } = await service.database.pool.query(
    `select array(select version from performance_results where dispatch_id = $1 and site_id = wanted.site order by version) as kept,
       (select count(*) from late_corrections where dispatch_id = $1 and site_id = wanted.site)
         + (select count(*) from late_notes join sites on key = late_notes.site where sites.id = wanted.site and found_at is null) as waiting
     from unnest($2::text[]) as wanted (site)`,
    [id, siteIds],
  );
  return rows;
};

const finished = async (): Promise<Dispatched & { siteIds: string[] }> => {
  const made = await dispatched();
  at(125);
  for (const site of [0, 1]) await made.load(0, 120, 60, site);
  await untilVersions(service, made.id, 1);
  const siteIds = made.anna.sites.map(({ id }) => id);
  // The notes of these uploads are handled: open ones belong to later uploads.
  const settled = { kept: [1], waiting: 0 };
  await untilKept({ id: made.id, siteIds }, [settled, settled]);
  return { ...made, siteIds };
};

/** Moves the clock until the results and their notes are as expected. */
const untilKept = ({ id, siteIds }: { readonly id: string; readonly siteIds: readonly string[] }, expected: unknown) =>
  expect
    .poll(async () => {
      service.clock.advance({ seconds: 6 });
      return keptOf(id, siteIds);
    })
    .toEqual(expected);

describe("a result of another version of the service", () => {
  test("that was stored before formats had numbers is read, and no correction by itself", async () => {
    const { id, load, siteId, siteIds } = await finished();
    const before = [await performanceOf(service, id), await sitePerformanceOf(service, id, siteId)];
    await setFormat(id, siteId, "{}");
    expect([await performanceOf(service, id), await sitePerformanceOf(service, id, siteId)]).toEqual(before);
    service.clock.advance({ hours: 24 });
    await load(0, 30, 60);
    await load(0, 30, 80, 1);
    await untilVersions(service, id, 2);
    expect((await keptOf(id, siteIds)).map(({ kept }) => kept)).toEqual([[1], [1, 2]]);
  });

  test("that is newer is said to be so, and is not followed by less; its corrections wait", async () => {
    const { id, load, siteId, siteIds } = await finished();
    await setFormat(id, siteId, '{"format": 2}');
    const path = `/dispatches/${id}`;
    for (const of of ["performance", "performance/curve", `sites/${siteId}/performance`])
      expectError(await service.operator("GET", `${path}/${of}`), 500, /stored by a newer version of the service/);
    expect((await service.operator("GET", `${path}/sites/${siteIds[1]}/performance`)).status).toBe(200);
    service.clock.advance({ hours: 24 });
    for (const site of [0, 1]) await load(0, 30, 80, site);
    const ofBoth = { id, siteIds };
    await untilKept(ofBoth, [
      { kept: [1], waiting: 1 },
      { kept: [1, 2], waiting: 0 },
    ]);
    await setFormat(id, siteId, '{"format": 1}');
    await untilKept(ofBoth, [
      { kept: [1, 3], waiting: 0 },
      { kept: [1, 2], waiting: 0 },
    ]);
  });
});

test("readings of long ago that come while the dispatch runs change its baseline", async () => {
  const pool = {
    day_types: ["weekday"],
    lookback_days: 10,
    days: 1,
    min_days: 1,
    exclude: { event: false, incomplete: false, low_usage: null },
  };
  const { id, load } = await dispatched({
    kind: "days",
    interval_seconds: 3600,
    rules: [{ pool, pick: { kind: "all" } }],
    average: { kind: "mean" },
    adjust: { kind: "none" },
    allow_negative: true,
    fallback: null,
  });
  at(5);
  await load(0, 5, 60);
  // The site is new, so the load before the notification measures it.
  expect((await performanceOf(service, id)).sites[0]?.latest.baseline_kw).toBe(100);
  await load(-24 * 60, -22 * 60, 90);
  await expect.poll(async () => (await performanceOf(service, id)).sites[0]?.latest.baseline_kw).toBe(90);
});

test("a stream tells that the result is final", async () => {
  const { id, load } = await dispatched();
  at(125);
  const stream = await openStream(service.url, `/dispatches/${id}/performance/stream`);
  expect((await stream.next())?.data.state).toBe("ended");
  for (const site of [0, 1]) await load(0, 120, 60, site);
  let state = "";
  while (state !== "final") {
    service.clock.advance({ seconds: 6 });
    state = (await stream.next())?.data.state;
  }
  expect(await stateOf(id)).toBe("final");
  stream.close();
  const later = await openStream(await service.another(), `/dispatches/${id}/performance/stream`);
  expect((await later.next())?.data).toMatchObject({ state: "final", version: 1 });
  later.close();
});
