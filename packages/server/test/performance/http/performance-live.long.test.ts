import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openStream } from "../../support/event-stream.js";
import { httpClient } from "../../support/http-client.js";
import {
  anna,
  dispatchId,
  END,
  first,
  minute,
  path,
  prepare,
  prepareEach,
  readings,
  START,
  service,
  siteId,
} from "../../support/live-results.js";
import { dispatchBetween, measuredProgram, performanceOf, sitePerformanceOf } from "../../support/measuring.js";
import { OPERATOR_TOKEN } from "../../support/running.js";

beforeAll(prepare);

beforeEach(prepareEach);

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

describe("the status of a site", () => {
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

describe("the stream", () => {
  // The watch may have read the dispatch before the clock moved; it is then read again, which would be sent, too.
  beforeEach(async () => void (await performanceOf(service, dispatchId)));

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
});
