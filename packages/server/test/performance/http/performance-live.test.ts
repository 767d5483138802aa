import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import {
  dispatchBetween,
  intervalsBetween,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  uploadIntervals,
} from "../../support/measuring.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

// A dispatch while it runs: numbers follow the readings, over GET and as a stream.
let service: Running;
let anna: Participant;
let dispatchId: string;

const START = "2026-06-10T18:00:00Z";
const END = "2026-06-10T19:00:00Z";
const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

/** Readings of one of the two sites between two minutes after the start. */
const readings = (site: number, [from, to]: readonly [number, number], kw: number, seconds = 30): Promise<void> =>
  uploadIntervals(
    anna,
    anna.sites[site]?.meters[0] ?? "",
    intervalsBetween([minute(from), minute(to)], seconds, () => kw),
  );

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  service.clock.set(new Date(START));
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
  for (const site of [0, 1]) await readings(site, [-60, 0], 100);
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
  // Nobody follows it before the tests begin.
  service.clock.set(new Date(minute(10)));
  dispatchId = await dispatchBetween(service, programId, [START, END]);
});

const siteId = (index: number): string => anna.sites[index]?.id ?? "";

test("every accepted reading is in the next answer", async () => {
  for (const minutes of [1, 2, 3]) {
    await readings(0, [minutes - 1, minutes], 60);
    const [first] = (await performanceOf(service, dispatchId)).sites;
    expect(first).toMatchObject({
      cells_present: 2 * minutes,
      latest: { timestamp: minute(minutes).replace(".000", "") },
    });
  }
});

test("a corrected reading counts instead of the first", async () => {
  await readings(0, [0, 10], 60);
  expect((await performanceOf(service, dispatchId)).sites[0]?.mean_reduction_kw).toBe(40);
  await readings(0, [4, 6], 110);
  expect((await performanceOf(service, dispatchId)).sites[0]?.mean_reduction_kw).toBe(30);
});

test("a reading that the baseline is computed from changes the baseline", async () => {
  await readings(0, [0, 1], 60);
  expect((await performanceOf(service, dispatchId)).sites[0]?.latest.baseline_kw).toBe(100);
  await readings(0, [-15, 0], 130);
  expect((await performanceOf(service, dispatchId)).sites[0]?.latest.baseline_kw).toBe(130);
});

test("a reading of the baseline's window that comes within the hour changes the baseline", async () => {
  const pool = {
    day_types: ["weekday"],
    lookback_days: 5,
    days: 1,
    min_days: 1,
    exclude: { event: true, incomplete: false, low_usage: null },
  };
  const window = { anchor: "start", from_minutes_before: 90, to_minutes_before: 61 };
  const method = {
    kind: "days",
    interval_seconds: 60,
    rules: [{ pool, pick: { kind: "all" } }],
    average: { kind: "mean" },
    adjust: { kind: "additive", window, lowest: null, highest: null },
    allow_negative: true,
    fallback: null,
  };
  const programId = await measuredProgram(service, [anna], { baseline: { method } });
  service.clock.set(new Date(minute(-5)));
  for (const day of [-1, 0]) await readings(0, [day * 1440 - 90, day * 1440 - 61], 100);
  await readings(0, [-1440, -1380], 100);
  const id = await dispatchBetween(service, programId, [START, END]);
  const baselineKw = async () => (await sitePerformanceOf(service, id, siteId(0))).curve.at(-200)?.baseline_kw;
  expect(await baselineKw()).toBe(100);
  // 56 to 59 minutes ago: too recent to be noted as late, and before the curves begin.
  await readings(0, [-64, -61], 390);
  await expect.poll(baselineKw).toBeCloseTo(130, 9);
});

test("what time alone changes is brought up to now: coverage falls while nothing comes", async () => {
  await readings(0, [0, 10], 60);
  expect((await performanceOf(service, dispatchId)).sites[0]).toMatchObject({
    coverage: 1,
    status: { colour: "green" },
  });
  service.clock.set(new Date(minute(12)));
  const [first] = (await performanceOf(service, dispatchId)).sites;
  expect(first).toMatchObject({ cells_expected: 24, status: { colour: "grey", words: "readings are late" } });
});

const first = async () => (await performanceOf(service, dispatchId)).sites[0];

describe("the status of a site", () => {
  test("is of the last five minutes while the dispatch runs, beside its mean", async () => {
    await readings(0, [0, 5], 100);
    await readings(0, [5, 10], 60);
    expect(await first()).toMatchObject({
      status: { colour: "green" },
      performance: 0.5,
      recent: { performance: 1, mean_reduction_kw: 40, cells_expected: 10, cells_present: 10, coverage: 1 },
    });
    service.clock.set(new Date(minute(60)));
    expect(await first()).toMatchObject({ recent: null, status: { colour: "grey", words: "too few readings" } });
  });

  test("awaits a meter of five-minute readings as long as its interval lasts, and twice as long as that in all", async () => {
    service.clock.set(new Date(minute(4.5)));
    await readings(0, [-5, 0], 100, 300);
    expect(await first()).toMatchObject({
      cells_expected: 0,
      coverage: null,
      status: { colour: "grey", words: "no reading due yet" },
    });
    await readings(0, [0, 5], 60, 300);
    service.clock.set(new Date(minute(9.9)));
    expect(await first()).toMatchObject({ cells_expected: 10, coverage: 1, status: { colour: "green" } });
    service.clock.set(new Date(minute(15)));
    // M11: what is not late is not missing.
    expect(await first()).toMatchObject({ cells_expected: 21, cells_present: 10, status: { colour: "green" } });
    service.clock.set(new Date(minute(15.5)));
    expect(await first()).toMatchObject({ status: { words: "readings are late" } });
  });

  test("follows a meter that goes over to another interval", async () => {
    await readings(0, [0, 5], 60, 300);
    expect(await first()).toMatchObject({ status: { colour: "green" } });
    await readings(0, [5, 6], 60);
    service.clock.set(new Date(minute(8)));
    expect(await first()).toMatchObject({ status: { words: "readings are late" } });
  });

  test("counts a site as delivering for as long as its reading is not stale, in sums and curve", async () => {
    for (const site of [0, 1]) await readings(site, [0, 5], 60, 300);
    const { totals } = await performanceOf(service, dispatchId);
    expect(totals.now).toMatchObject({ sites: 2, reduction_kw: 80 });
    const { curve } = await service.made(operator.getDispatchCurve, { params: { id: dispatchId } });
    const at = (minutes: number) => curve.find(({ timestamp }) => timestamp === minute(minutes).replace(".000", ""));
    expect([at(5), at(10)]).toMatchObject([{ reduction_kw: 80 }, { reduction_kw: 80 }]);
  });

  test("keeps to the interval of live readings when others are back-filled", async () => {
    await readings(0, [0, 10], 60);
    await readings(0, [-300, -240], 100, 300);
    service.clock.set(new Date(minute(12)));
    expect(await first()).toMatchObject({ status: { words: "readings are late" } });
  });
});

test("a change of the dispatch changes what is measured", async () => {
  await readings(0, [0, 10], 60);
  await performanceOf(service, dispatchId);
  await service.made(operator.changeDispatch, { params: { id: dispatchId }, body: { start_time: minute(5) } });
  expect((await performanceOf(service, dispatchId)).sites[0]).toMatchObject({ cells_expected: 10, cells_present: 10 });
  await service.made(operator.changeDispatch, { params: { id: dispatchId }, body: { authorized: false } });
  service.clock.set(new Date(minute(20)));
  expect(await performanceOf(service, dispatchId)).toMatchObject({
    state: "cancelled",
    measured_until: minute(10).replace(".000", ""),
  });
});

test("a restart in the middle changes no number", async () => {
  // Out of order and with a correction, so that no sum was built in order of time.
  await readings(0, [5, 8], 61.7);
  await readings(0, [0, 5], 63.1);
  await readings(1, [0, 9], 71.3);
  await readings(0, [2, 3], 64.9);
  const before = await performanceOf(service, dispatchId);
  const curves = await sitePerformanceOf(service, dispatchId, siteId(0));
  const restarted = httpClient(`${await service.another()}/operator/v1`, { authorization: `Bearer ${OPERATOR_TOKEN}` });
  expect((await restarted("GET", `/dispatches/${dispatchId}/performance`)).body).toEqual(before);
  const path = `/dispatches/${dispatchId}/sites/${siteId(0)}/performance`;
  expect((await restarted("GET", path)).body).toEqual(curves);
});

const path = () => `/dispatches/${dispatchId}/performance/stream`;

describe("the stream", () => {
  // The watch may have read the dispatch before the clock moved; it is then read again, which would be sent, too.
  beforeEach(async () => void (await performanceOf(service, dispatchId)));

  test("begins with everything and goes on with what changes", async () => {
    await readings(0, [0, 1], 60);
    const stream = await openStream(service.url, path());
    expect(stream.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    const first = await stream.next();
    expect(first).toMatchObject({ event: "snapshot", data: { dispatch_id: dispatchId, state: "in_progress" } });
    expect(first?.data.sites).toHaveLength(2);
    await readings(1, [0, 2], 80);
    const change = await stream.next();
    expect(change).toMatchObject({
      event: "change",
      data: { totals: { delivered_energy_kwh: expect.closeTo(4 / 3) } },
    });
    expect(change?.data.sites).toMatchObject([{ site_id: siteId(1), cells_present: 4, mean_reduction_kw: 20 }]);
    stream.close();
  });

  test("tells what a request found out before it did", async () => {
    const stream = await openStream(service.url, path());
    await stream.next();
    await readings(0, [0, 3], 60);
    expect((await performanceOf(service, dispatchId)).sites[0]?.cells_present).toBe(6);
    expect((await stream.next())?.data.sites).toMatchObject([{ site_id: siteId(0), cells_present: 6 }]);
    stream.close();
  });

  test("tells what readings that another process took have changed", async () => {
    const other = await service.another();
    const stream = await openStream(other, path());
    await stream.next();
    await readings(1, [0, 2], 80);
    expect((await stream.next())?.data.sites).toMatchObject([{ site_id: siteId(1), cells_present: 4 }]);
    stream.close();
  });

  test("is taken up again after the last event that was received", async () => {
    const stream = await openStream(service.url, path());
    const last = await stream.next();
    stream.close();
    await readings(1, [0, 2], 80);
    await performanceOf(service, dispatchId);
    const again = await openStream(service.url, path(), { lastEventId: last?.id ?? "none" });
    const change = await again.next();
    expect(change?.event).toBe("change");
    expect(change?.data.sites.map((site: { site_id: string }) => site.site_id)).toEqual([siteId(1)]);
    again.close();
    const unknown = await openStream(service.url, path(), { lastEventId: "trk_0000.7" });
    expect(await unknown.next()).toMatchObject({ event: "snapshot" });
    unknown.close();
  });

  test("needs the operator's token, and a dispatch that there is", async () => {
    expectError(await httpClient(`${service.url}/operator/v1`)("GET", path()), 401, /token/);
    expectError(
      await service.operator(operator.streamAnyDispatchPerformance, { params: { id: "dis_0" } }),
      404,
      /No such dispatch/,
    );
  });

  test("ends when the service drains", async () => {
    const own = await running();
    const ben = await own.newParticipant();
    const programId = await measuredProgram(own, [ben], {});
    own.clock.set(new Date(START));
    const id = await dispatchBetween(own, programId, [START, END]);
    const stream = await openStream(own.url, `/dispatches/${id}/performance/stream`);
    await stream.next();
    const ended = stream.next();
    await own.stop();
    expect(await ended).toBeNull();
  });
});
