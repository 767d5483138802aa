import { beforeAll, expect, test, vi } from "vitest";
import {
  dispatchBetween,
  intervalsBetween,
  measuredProgram,
  performanceOf,
  untilLooked,
  untilVersions,
  uploadIntervals,
} from "../../support/measuring.js";
import { type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const UPLOADS = 300;
const SITES = 3;
const MINUTE_MS = 60_000;

test("a back-fill of 300 uploads, site after site, makes at most one version a minute, and the last one has all of it", async () => {
  service.clock.set(new Date("2026-06-10T17:00:00Z"));
  const anna = await service.newParticipant({ sites: Array.from({ length: SITES }, () => ["main"]) });
  const load = (site: number, from: string, to: string, kw: number) =>
    uploadIntervals(
      anna,
      anna.sites[site]?.meters[0] ?? "",
      intervalsBetween([from, to], 300, () => kw),
    );
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  const program = await measuredProgram(service, [anna], { baseline, commitment: 40 });
  const id = await dispatchBetween(service, program, ["2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z"]);
  service.clock.set(new Date("2026-06-10T20:05:00Z"));
  for (let site = 0; site < SITES; site++) await load(site, "2026-06-10T17:00:00Z", "2026-06-10T20:00:00Z", 100);
  await untilVersions(service, id, 1);
  service.clock.advance({ hours: 24 });
  const waiting = async (): Promise<number> => {
    const due = "select count(*)::int as count from late_notes where found_at is null and due_at <= $1";
    const { rows } = await service.database.pool.query<{ count: number }>(due, [service.clock.now()]);
    return rows[0]?.count ?? 0;
  };
  const fromMs = service.clock.now().getTime();
  for (let upload = 0; upload < UPLOADS; upload++) {
    await load(upload % SITES, "2026-06-10T18:00:00Z", "2026-06-10T19:00:00Z", 99 - upload / 10);
    service.clock.advance({ seconds: 1 + (upload % 4) });
    // Notes that are found seconds later by this clock look like a pause between uploads, after which a version may follow sooner.
    await vi.waitFor(async () => expect(await waiting()).toBe(0), 10_000);
  }
  const untilMs = service.clock.now().getTime();
  const minutes = (untilMs - fromMs) / MINUTE_MS;
  const reduced = async () =>
    (await performanceOf(service, id)).sites.map((site: { mean_reduction_kw: number }) => site.mean_reduction_kw);
  const wanted = [UPLOADS - 3, UPLOADS - 2, UPLOADS - 1].map((upload) => 1 + upload / 10);
  await untilLooked(service, async () => {
    const found = (await reduced()).toSorted((a: number, b: number) => a - b);
    return found.every((kw: number, index: number) => Math.abs(kw - (wanted[index] ?? 0)) < 0.001);
  });
  const { versions } = await performanceOf(service, id);
  const madeMs: number[] = versions.slice(1).map(({ at }: { at: string }) => Date.parse(at));
  const whileComing = madeMs.filter((ms) => ms < untilMs);
  // It was corrected meanwhile, too.
  expect(whileComing.length).toBeGreaterThan(minutes / 3);
  for (const [index, ms] of whileComing.entries())
    if (index > 0) expect(ms - (whileComing[index - 1] ?? 0)).toBeGreaterThanOrEqual(MINUTE_MS);
  expect(madeMs.length).toBeLessThanOrEqual(minutes + 2);
});
