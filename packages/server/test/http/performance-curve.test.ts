import { beforeAll, expect, test, vi } from "vitest";
import { expectError } from "../support/expect-error.js";
import {
  dispatchBetween,
  intervalsBetween,
  measuredProgram,
  performanceOf,
  uploadIntervals,
} from "../support/measuring.js";
import { type Participant, type Running, running } from "../support/running.js";

// What the sites of a dispatch deliver together, over time.
let service: Running;

const START = "2026-06-10T18:00:00Z";
const minute = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();
const at = (minutes: number): void => service.clock.set(new Date(minute(minutes)));

beforeAll(async () => {
  service = await running();
});

interface Cell {
  readonly timestamp: string;
}
interface Curve {
  readonly version: number | null;
  readonly curve: readonly Cell[];
}

const curveOf = (id: string): Promise<Curve> => service.made<Curve>("GET", `/dispatches/${id}/performance/curve`);

const cellAt = ({ curve }: Curve, minutes: number): Cell | undefined =>
  curve.find(({ timestamp }) => Date.parse(timestamp) === Date.parse(minute(minutes)));

/** Two sites that took 100 kW each before the dispatch, called with 40 kW each. */
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
  expectError(await service.operator("GET", `/dispatches/${id}/performance/curve?version=2`), 404, /version/);
});

test("a dispatch that is not there has no curve", async () => {
  expectError(await service.operator("GET", "/dispatches/dis_none/performance/curve"), 404, /dispatch/);
});
