import { beforeAll, describe, expect, test, vi } from "vitest";
import { openStream } from "../support/event-stream.js";
import {
  dispatchBetween,
  intervalsBetween,
  measuredProgram,
  performanceOf,
  uploadIntervals,
} from "../support/measuring.js";
import { type Participant, type Running, running } from "../support/running.js";

// Dispatches that do not fit into the memory of live measurement.
const START = "2026-06-10T18:00:00Z";
const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

let roomy: Running;
let small: Running;

beforeAll(async () => {
  [roomy, small] = [await running(), await running({}, { measuringBytes: 1000 })];
});

/** A dispatch of two sites, of which one sends nothing but the load before. */
const dispatched = async (service: Running): Promise<{ readonly id: string; readonly anna: Participant }> => {
  service.clock.set(new Date(START));
  const anna = await service.newParticipant({ name: "Anna", sites: [["main"], ["main"]] });
  for (const [index, { meters }] of anna.sites.entries()) {
    service.clock.set(new Date(minute(125)));
    const intervals = intervalsBetween([minute(-120), minute(index === 0 ? 120 : 0)], 30, (ms) => 100 + (ms % 7));
    await uploadIntervals(anna, meters[0] ?? "", intervals);
  }
  service.clock.set(new Date(START));
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
  const id = await dispatchBetween(service, programId, [START, minute(60)]);
  service.clock.set(new Date(minute(30)));
  return { id, anna };
};

/** Numbers alone: ids and times of making are each service's own. */
const numbersOf = async (service: Running, id: string) => {
  const { state, version, totals, sites } = await performanceOf(service, id);
  return { state, version, totals, sites: sites.map((site: object) => ({ ...site, site_id: "", account_id: "" })) };
};

const untilFinal = (service: Running, id: string): Promise<boolean> =>
  vi.waitUntil(
    async () => {
      service.clock.advance({ seconds: 6 });
      return (await performanceOf(service, id)).state === "final";
    },
    { timeout: 15_000, interval: 100 },
  );

describe("without room", () => {
  test("an operator's dispatch gets the final result that it gets with room", async () => {
    const results = [];
    for (const service of [roomy, small]) {
      const { id } = await dispatched(service);
      service.clock.set(new Date(minute(4 * 60 + 1)));
      await untilFinal(service, id);
      expect(await performanceOf(service, id)).toMatchObject({ versions: [{ reason: "overdue" }] });
      results.push(await numbersOf(service, id));
    }
    expect(results[1]).toEqual(results[0]);
  }, 30_000);

  test("a look at a part that is small is answered, and is measured for it alone", async () => {
    const [{ id, anna }, { id: other }] = [await dispatched(small), await dispatched(roomy)];
    expect(await numbersOf(small, id)).toEqual(await numbersOf(roomy, other));
    expect((await anna.call("GET", `/dispatches/${id}/performance`)).body.sites).toHaveLength(2);
  });

  test("a stream ends with the reason", async () => {
    const { id } = await dispatched(small);
    const stream = await openStream(small.url, `/dispatches/${id}/performance/stream`);
    expect(await stream.next()).toMatchObject({
      event: "failed",
      data: { message: expect.stringMatching(/the memory for live measurement is taken by other dispatches/) },
    });
    expect(await stream.next()).toBeNull();
  });
});
