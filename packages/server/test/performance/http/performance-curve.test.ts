import { getDispatchPerformance, operator } from "@curtail/contract";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { openStream } from "../../support/event-stream.js";
import { expectError } from "../../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  measuredProgram,
  performanceOf,
  uploadIntervals,
} from "../../support/measuring.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const START = "2026-06-10T18:00:00Z";
const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

interface Cell {
  readonly timestamp: string;
}

interface Curve {
  readonly version: number | null;
  readonly curve: readonly Cell[];
}

const cellAt = ({ curve }: Curve, minutes: number): Cell | undefined =>
  curve.find(({ timestamp }) => Date.parse(timestamp) === Date.parse(minute(minutes)));

const curveOf = (id: string): Promise<Curve> => service.made(operator.getDispatchCurve, { params: { id } });

const sitesAt = async (id: string, minutes: number): Promise<operator.SitesAt["sites"]> =>
  (await service.made(operator.getMomentaryPerformance, { params: { id }, query: { at: minute(minutes) } })).sites;
const sumOf = (kw: ReadonlyArray<number | null>): number | null =>
  kw.every((each) => each === null) ? null : kw.reduce<number>((sum, each) => sum + (each ?? 0), 0);

const at = (minutes: number): void => service.clock.set(new Date(minute(minutes)));

/** Two sites with 100 kW each before the dispatch, and a commitment of 40 kW each. */
const dispatched = async () => {
  at(0);
  const anna: Participant = await service.newParticipant({ sites: [["main"], ["main"]] });
  const load = (from: number, to: number, kw: number, site: number) =>
    uploadIntervals(
      anna,
      anna.sites[site]?.meters[0] ?? "",
      intervalsBetween([minute(from), minute(to)], 30, () => kw),
    );
  for (const site of [0, 1]) await load(-120, 0, 100, site);
  const method = { kind: "meter_before", seconds: 900, anchor: "start" };
  const programId = await measuredProgram(service, [anna], { baseline: { method }, commitment: 40 });
  return { id: await dispatchBetween(service, programId, [START, minute(60)]), load };
};

// What the sites of a dispatch deliver in total, over time.
describe("the curve of a dispatch", () => {
  test("the sums of all sites stand in one curve, and what is yet to come has a baseline only", async () => {
    const { id, load } = await dispatched();
    at(10);
    await load(0, 10, 50, 0);
    await load(0, 10, 70, 1);
    const curve = await curveOf(id);
    const sums = { sites: 2, commitment_kw: 80, baseline_kw: 200, target_kw: 120 };
    expect(cellAt(curve, 10)).toEqual({
      timestamp: minute(10).replace(".000", ""),
      ...sums,
      load_kw: 120,
      reduction_kw: 80,
    });
    expect(cellAt(curve, 11)).toMatchObject({ ...sums, load_kw: null, reduction_kw: null });
    expect([curve.curve[0]?.timestamp, curve.curve.at(-1)?.timestamp].map((each) => Date.parse(each ?? ""))).toEqual([
      Date.parse(minute(-59.5)),
      Date.parse(minute(120)),
    ]);
  });

  test("a site that reports later than another counts by its newest cell for 90 s, and no longer, as in the sums of now", async () => {
    const { id, load } = await dispatched();
    at(10);
    await load(0, 10, 50, 0);
    await load(0, 8, 70, 1);
    const curve = await curveOf(id);
    expect(cellAt(curve, 9.5)).toMatchObject({ sites: 2, reduction_kw: 80 });
    expect(cellAt(curve, 10)).toMatchObject({ sites: 1, commitment_kw: 40, baseline_kw: 100, reduction_kw: 50 });
    expect((await performanceOf(service, id)).totals.now).toMatchObject({ sites: 1, reduction_kw: 50 });
  });

  test("the curve of a final result is that of its version", async () => {
    const { id, load } = await dispatched();
    at(121);
    for (const site of [0, 1]) await load(0, 120, 60, site);
    await vi.waitUntil(
      async () => {
        service.clock.advance({ seconds: 6 });
        return (await performanceOf(service, id)).version === 1;
      },
      { timeout: 20_000 },
    );
    const curve = await curveOf(id);
    expect(curve.version).toBe(1);
    expect(cellAt(curve, 30)).toMatchObject({ sites: 2, load_kw: 120, reduction_kw: 80 });
    expectError(
      await service.operator(operator.getDispatchCurve, { params: { id }, query: { version: 2 } }),
      404,
      /version/,
    );
  });

  test("what each site delivered at a moment adds up to the curve, while the dispatch runs and in its final result", async () => {
    const { id, load } = await dispatched();
    at(20);
    await load(0, 20, 50, 0);
    await load(0, 8, 70, 1);
    const moments = [-10, 5, 8, 9, 9.5, 10, 19];
    const compared = async () => {
      const curve = await curveOf(id);
      for (const minutes of moments) {
        const sites = await sitesAt(id, minutes);
        expect(sites).toHaveLength(2);
        const sum = (member: "load_kw" | "baseline_kw" | "reduction_kw") => sumOf(sites.map((site) => site[member]));
        expect(cellAt(curve, minutes)).toMatchObject({
          sites: sites.filter(({ reduction_kw }) => reduction_kw !== null).length,
          load_kw: sum("load_kw"),
          baseline_kw: sum("baseline_kw"),
          reduction_kw: sum("reduction_kw"),
        });
      }
    };
    await compared();
    const between = await sitesAt(id, 9.7);
    expect(between.map(({ timestamp }) => Date.parse(timestamp ?? ""))).toEqual([
      Date.parse(minute(9.5)),
      Date.parse(minute(8)),
    ]);
    const future = { at: minute(20.1) };
    expectError(
      await service.operator(operator.getMomentaryPerformance, { params: { id }, query: future }),
      400,
      /future/,
    );
    at(121);
    await load(20, 120, 60, 0);
    await load(8, 120, 60, 1);
    await vi.waitUntil(
      async () => {
        service.clock.advance({ seconds: 6 });
        return (await performanceOf(service, id)).version === 1;
      },
      { timeout: 20_000 },
    );
    await compared();
    expect((await sitesAt(id, 9)).map(({ reduction_kw }) => reduction_kw)).toEqual([50, 40]);
  });

  test("a dispatch that is not there has no curve", async () => {
    expectError(await service.operator(operator.getDispatchCurve, { params: { id: "dis_none" } }), 404, /dispatch/);
    const asked = { params: { id: "dis_none" }, query: { at: minute(0) } };
    expectError(await service.operator(operator.getMomentaryPerformance, asked), 404, /dispatch/);
  });
});

const untilFinal = (service: Running, id: string): Promise<boolean> =>
  vi.waitUntil(
    async () => {
      service.clock.advance({ seconds: 6 });
      return (await performanceOf(service, id)).state === "final";
    },
    { timeout: 15_000, interval: 100 },
  );

/** Only the numbers: ids and creation times differ between services. */
const numbersOf = async (service: Running, id: string) => {
  const { state, version, totals, sites } = await performanceOf(service, id);
  return { state, version, totals, sites: sites.map((site: object) => ({ ...site, site_id: "", account_id: "" })) };
};

/** A dispatch of two sites, one of which sends only the load before it. */
const dispatchedOn = async (service: Running): Promise<{ readonly id: string; readonly anna: Participant }> => {
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

describe("dispatches that do not fit into memory", () => {
  let small: Running;

  beforeAll(async () => {
    small = await running({}, { measuringBytes: 1000 });
  });

  describe("without room", () => {
    test("an operator's dispatch gets the final result that it gets with room", async () => {
      const results = [];
      for (const each of [service, small]) {
        const { id } = await dispatchedOn(each);
        each.clock.set(new Date(minute(4 * 60 + 1)));
        await untilFinal(each, id);
        expect(await performanceOf(each, id)).toMatchObject({ versions: [{ reason: "overdue" }] });
        results.push(await numbersOf(each, id));
      }
      expect(results[1]).toEqual(results[0]);
    }, 30_000);

    test("a look at a part that is small is answered, and is measured for it alone", async () => {
      const [{ id, anna }, { id: other }] = [await dispatchedOn(small), await dispatchedOn(service)];
      expect(await numbersOf(small, id)).toEqual(await numbersOf(service, other));
      expect((await anna.call(getDispatchPerformance, { params: { id } })).body.sites).toHaveLength(2);
    });

    test("a stream ends with the reason", async () => {
      const { id } = await dispatchedOn(small);
      const stream = await openStream(small.url, `/dispatches/${id}/performance/stream`);
      expect(await stream.next()).toMatchObject({
        event: "failed",
        data: { message: expect.stringMatching(/other dispatches use all the memory for live measurement/) },
      });
      expect(await stream.next()).toBeNull();
    });
  });
});
