import { beforeAll, describe, expect, test } from "vitest";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import {
  at,
  type Dispatched,
  dispatched,
  END,
  minute,
  prepare,
  START,
  service,
  stateOf,
  versionsOf,
} from "../../support/final-results.js";
import {
  dispatchBetween,
  intervalsBetween,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";

beforeAll(prepare);

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
