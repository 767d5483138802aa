import { getDispatchPerformance, getSitePerformance, operator } from "@curtail/contract";
import { propertyRuns, propertySeed } from "@curtail/testing/property-runs";
import { beforeAll, expect, test } from "vitest";
import { httpClient } from "../../support/http-client.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  performanceOf,
  sitePerformanceOf,
  uploadIntervals,
} from "../../support/measuring.js";
import { firstOf } from "../../support/metering.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";
import { type FileRow, rowsOfBoth } from "../../support/table-rows.js";

// Random meters, days, dispatches and corrections: a process that has followed a dispatch all the time has the numbers of
// one that has just started, and every interface has the same.
let service: Running;

beforeAll(async () => {
  service = await running();
});

/** Uniform numbers from 0 to 1, the same for a seed. */
const randomFrom = (seed: number) => {
  let state = seed * 2_654_435_761;
  return (): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return state / 0x1_0000_0000;
  };
};

type Random = ReturnType<typeof randomFrom>;
const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();

const baselines = [
  { preset: "high_4_of_5" },
  { preset: "weekdays_10_5min" },
  { preset: "high_15_of_20_per_hour" },
  { preset: "meter_before" },
  meanOfDays(3),
  {
    method: {
      ...meanOfDays(4).method,
      interval_seconds: 300,
      fallback: { kind: "meter_before", seconds: 900, anchor: "start" },
    },
  },
] as const;

interface Scene {
  readonly participant: Participant;
  readonly dispatchId: string;
  readonly programId: string;
  readonly startMs: number;
  /** Uploads readings of a meter between two moments, with a few left out. */
  readonly load: (meterId: string, fromMs: number, toMs: number) => Promise<void>;
}

const HISTORY_DAYS = 14;

/** A site with one to three meters, some of them new, and a dispatch that is about to begin. */
const staged = async (random: Random, seed: number): Promise<Scene> => {
  const startMs = Date.parse("2026-06-10T18:00:00Z") + Math.floor(random() * 3600) * 1000;
  service.clock.set(new Date(startMs - 12 * MINUTE_MS));
  const names = ["one", "two", "three"].slice(0, 1 + Math.floor(random() * 3));
  const participant = await service.newParticipant({ sites: [names] });
  const load: Scene["load"] = async (meterId, fromMs, toMs) => {
    const [from, to] = [fromMs, toMs].map((ms) => Math.floor(ms / 300_000) * 300_000);
    const all = intervalsBetween(
      [iso(from ?? 0), iso(to ?? 0)],
      300,
      (endMs) => 100 + (seed % 1000) + ((endMs / 300_000) % 41),
    );
    const kept = all.filter(() => random() > 0.002);
    await uploadIntervals(participant, meterId, kept);
  };
  for (const meterId of participant.sites[0]?.meters ?? []) {
    const ageDays = pick(random, [HISTORY_DAYS, HISTORY_DAYS, 2, 0.01]);
    await load(meterId, startMs - ageDays * DAY_MS, startMs - 12 * MINUTE_MS);
  }
  const programId = await measuredProgram(service, [participant], {
    baseline: pick(random, baselines),
    commitment: 20,
  });
  for (let other = 0; other < 2; other++) await recordOther(random, { programId, startMs });
  const dispatchId = await dispatchBetween(service, programId, [iso(startMs), iso(startMs + 40 * MINUTE_MS)]);
  return { participant, dispatchId, programId, startMs, load };
};

/** Another dispatch some days or hours before; returns its id. */
const recordOther = async (random: Random, { programId, startMs }: Pick<Scene, "programId" | "startMs">) => {
  const fromMs = startMs - Math.floor(random() * 6 * 24) * 3_600_000 - 7_200_000;
  return dispatchBetween(service, programId, [iso(fromMs), iso(fromMs + 3_600_000)]);
};

/** Something that happens during a dispatch. */
const happen = async (random: Random, scene: Scene, others: string[]): Promise<void> => {
  const nowMs = service.clock.now().getTime();
  const meters = scene.participant.sites[0]?.meters ?? [];
  for (const meterId of meters) if (random() > 0.2) await scene.load(meterId, nowMs - 15 * MINUTE_MS, nowMs);
  const what = random();
  if (what < 0.3) others.push(await recordOther(random, scene));
  const [voided] = others;
  if (what > 0.8 && voided !== undefined) {
    others.shift();
    const body = { authorized: false, void_reason: "a mistake" };
    await service.made(operator.changeDispatch, { params: { id: voided }, body });
  }
  if (what > 0.6 && what < 0.8) {
    const date = iso(scene.startMs - Math.floor(1 + random() * 5) * DAY_MS).slice(0, "2026-06-10".length);
    const { siteId } = firstOf(scene.participant);
    await service.made(operator.excludeDay, { params: { id: siteId, date }, body: { reason: "a repair" } });
  }
  const correctedMs = nowMs - Math.floor(random() * 5) * DAY_MS;
  if (what > 0.4 && what < 0.6) await scene.load(pick(random, meters), correctedMs - 2 * 3_600_000, correctedMs);
};

/** The result of the site and its curves in a process that starts now. */
const anew = async ({ dispatchId }: Scene, siteId: string): Promise<unknown> => {
  const call = httpClient(`${await service.another()}/operator/v1`, { authorization: `Bearer ${OPERATOR_TOKEN}` });
  return (await call("GET", `/dispatches/${dispatchId}/sites/${siteId}/performance`)).body;
};

const expectSameEverywhere = async ({ participant, dispatchId }: Scene, siteId: string): Promise<void> => {
  const detail = await sitePerformanceOf(service, dispatchId, siteId);
  const params = { id: dispatchId, site_id: siteId };
  const own = (await participant.call(getSitePerformance, { params })).body;
  const { account_id: _accountId, ...site } = detail.site;
  expect(own).toEqual({ ...detail, site });
  const [listed] = (await performanceOf(service, dispatchId)).sites;
  expect(listed).toEqual(detail.site);
  const [ownListed] = (await participant.call(getDispatchPerformance, { params: { id: dispatchId } })).body.sites;
  expect(ownListed).toEqual(site);
  const path = `/dispatches/${dispatchId}/sites/${siteId}/performance?format=csv`;
  const [, ...lines] = (await participant.call("GET", path)).text.trimEnd().split("\r\n");
  const columns = ["timestamp", "baseline_kw", "unadjusted_kw", "load_kw", "reduction_kw", "target_kw"];
  expect(lines).toEqual(
    detail.curve.map((cell: Record<string, number | string | null>) =>
      columns.map((name) => cell[name] ?? "").join(","),
    ),
  );
};

/** The table of both sides, as CSV and as Parquet, has the cells of the curve that are due. */
const expectSameTable = async ({ participant, dispatchId }: Scene, siteId: string): Promise<void> => {
  const { curve, site } = await sitePerformanceOf(service, dispatchId, siteId);
  const path = `/dispatches/${dispatchId}/performance/table?interval_seconds=30`;
  const all = await rowsOfBoth(service, `/operator/v1${path}`);
  const own = await rowsOfBoth(service, `/2022-04-15${path}`, { "x-service-api-key": participant.key });
  expect(all.csv).toHaveLength(site.cells_expected);
  for (const rows of [all.csv, all.parquet, own.csv, own.parquet]) expect(numbersOf(rows)).toEqual(numbersOf(all.csv));
  const cells = new Map<unknown, Record<string, unknown>>(
    curve.map((cell: { timestamp: string }) => [cell.timestamp, cell]),
  );
  const NUMBERS = ["baseline_kw", "load_kw", "reduction_kw"] as const;
  for (const row of all.csv.filter(({ coverage }) => coverage === 1)) {
    const cell = cells.get(row["timestamp"]);
    // The last cell may end after the dispatch.
    if (cell !== undefined) expect(NUMBERS.map((name) => row[name])).toEqual(NUMBERS.map((name) => cell[name]));
  }
};

const numbersOf = (rows: readonly FileRow[]) => rows.map(({ account_id: _accountId, ...row }) => row);

/** A meter that was left out for its age got an earlier reading. */
const FOUND = [1_075_028_935, 1_075_028_953];
const tried = Array.from({ length: propertyRuns(3, { atMost: 6 }) }, (_, index) => propertySeed + index);

test.each([...FOUND, ...tried])("a restart at any moment changes no number, on any interface (%i)", async (seed) => {
  const random = randomFrom(seed);
  const scene = await staged(random, seed);
  const { siteId } = firstOf(scene.participant);
  const others: string[] = [];
  for (const minutes of [-10, 8, 17, 33, 55]) {
    service.clock.set(new Date(scene.startMs + minutes * MINUTE_MS));
    await sitePerformanceOf(service, scene.dispatchId, siteId);
    await happen(random, scene, others);
    // Corrections are taken in within seconds, other dispatches within a minute.
    service.clock.advance({ seconds: 61 });
    const fresh = await anew(scene, siteId);
    await expect.poll(() => sitePerformanceOf(service, scene.dispatchId, siteId)).toEqual(fresh);
    await expectSameEverywhere(scene, siteId);
    if (minutes > 0) await expectSameTable(scene, siteId);
  }
});
