import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import {
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
import { dispatchBetween, measuredProgram, performanceOf } from "../../support/measuring.js";
import { running } from "../../support/running.js";

beforeAll(prepare);

beforeEach(prepareEach);

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
