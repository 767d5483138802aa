import { operator } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { correctionStore } from "../../../src/performance/storage/correction-store.js";
import { lateNoteStore } from "../../../src/performance/storage/late-note-store.js";
import { Packing } from "../../../src/telemetry/operations/pack-days.js";
import { dayStore } from "../../../src/telemetry/storage/day-store.js";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  uploadIntervals,
} from "../../support/measuring.js";
import { makeProfiles, measuredBothWays } from "../../support/profiled-days.js";
import { type Participant, type Running, running } from "../../support/running.js";

// A baseline from load profiles is that from readings, bit by bit, whatever happens to both of them.
let service: Running;
let anna: Participant;
/** By programs of two time zones and intervals; clocks are changed in both within the look-back. */
let dispatches: readonly string[];

const FIRST = "2026-03-04T00:00:00Z";
const NOW = "2026-04-02T10:30:00Z";
const START = "2026-04-03T16:00:00Z";
const END = "2026-04-03T18:00:00Z";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const site = () => anna.sites[0]?.id ?? "";
const metersOf = (): readonly string[] => anna.sites[0]?.meters ?? [];

const window = { anchor: "start", from_minutes_before: 240, to_minutes_before: 60 };
const adjusted = {
  ...meanOfDays(4).method,
  interval_seconds: 900,
  adjust: { kind: "additive", window, lowest: null, highest: null },
};

beforeAll(async () => {
  // Without the worker, which would take the notes and make profiles.
  service = await running({ CURTAIL_ROLES: "api", DATABASE_URL: "postgresql://ignored" });
  service.clock.set(new Date(NOW));
  anna = await service.newParticipant({ sites: [["main", "solar", "store"]] });
  const programs = [
    await measuredProgram(service, [anna], { timezone: "Europe/Berlin", baseline: meanOfDays(3) }),
    await measuredProgram(service, [anna], { timezone: "America/New_York", baseline: { method: adjusted } }),
  ];
  dispatches = await Promise.all(programs.map((program) => dispatchBetween(service, program, [START, END])));
  for (const [nth, meter] of metersOf().entries())
    await uploadIntervals(
      anna,
      meter,
      intervalsBetween([FIRST, NOW], 300, (endMs) => ((endMs / 300_000) % (311 + nth)) / 7),
    );
  // Profiles are of sites that were dispatched some minutes before.
  service.clock.advance({ seconds: 600 });
  await forget();
});

/** The dispatches of all notes are found, and the notes are over. */
const forget = async (): Promise<void> => {
  const corrections = correctionStore(service.database.pool);
  const later = new Date(service.clock.now().getTime() + HOUR_MS);
  await corrections.find(later);
  await corrections.forget(new Date(later.getTime() + 1));
};

const packAll = async (): Promise<void> => {
  const now = () => service.clock.now();
  const packing = new Packing({ store: dayStore(service.database.servicePool), now, afterDays: 2 });
  for (let step = await packing.step(); !step.isDone; step = await packing.step());
};

interface Late {
  readonly meter: number;
  readonly hoursAgo: number;
  readonly hours: number;
  readonly kw: number;
}

const upload = async ({ meter, hoursAgo, hours, kw }: Late): Promise<void> => {
  const nowMs = Math.floor(service.clock.now().getTime() / HOUR_MS) * HOUR_MS;
  const endMs = nowMs - hoursAgo * HOUR_MS;
  const period = [new Date(endMs - hours * HOUR_MS), new Date(endMs)].map((at) => at.toISOString());
  await uploadIntervals(
    anna,
    metersOf()[meter] ?? "",
    intervalsBetween([period[0] ?? "", period[1] ?? ""], 300, () => kw),
  );
};

const name = async (meters: readonly number[] | null): Promise<void> => {
  const measured_meters = meters?.map((nth) => metersOf()[nth] ?? "") ?? null;
  await service.made(operator.changeSite, { params: { id: site() }, body: { measured_meters } });
};

const acts = {
  upload: fc.record({
    meter: fc.integer({ min: 0, max: 2 }),
    hoursAgo: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 60, max: 360 })),
    hours: fc.integer({ min: 1, max: 5 }),
    kw: fc.integer({ min: 0, max: 9000 }).map((each) => each / 7),
  }),
  name: fc.constantFrom(null, [0], [0, 1], [2, 1, 0]),
  hoursPass: fc.integer({ min: 1, max: 5 }),
};

const act = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ make: true } as const) },
  { weight: 3, arbitrary: fc.record({ upload: acts.upload }) },
  { weight: 2, arbitrary: fc.constant({ forget: true } as const) },
  fc.record({ name: acts.name }),
  fc.record({ hoursPass: acts.hoursPass }),
  fc.constant({ pack: true } as const),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const carryOut = async (each: Act): Promise<void> => {
  if ("make" in each) await makeProfiles(service);
  else if ("upload" in each) await upload(each.upload);
  else if ("forget" in each) await forget();
  else if ("name" in each) await name(each.name);
  else if ("pack" in each) await packAll();
  // Until the day after the dispatch.
  else if (service.clock.now().getTime() < Date.parse(END) + DAY_MS)
    service.clock.advance({ seconds: each.hoursPass * 3600 });
};

test("whatever is corrected, packed, named or forgotten, baselines are those of the readings", async () => {
  const seen = { profiled: 0, partly: 0, read: 0 };
  const numRuns = propertyRuns(8, { atMost: 40 });
  let runs = 0;
  await makeProfiles(service);
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 10 }), async (all) => {
      runs += 1;
      for (const each of all) {
        await carryOut(each);
        for (const id of dispatches) {
          const { profiled, read, found: days } = await measuredBothWays(service, id);
          expect(profiled).toEqual(read);
          seen[days === 0 ? "read" : days < 3 ? "partly" : "profiled"] += 1;
        }
      }
    }),
    { numRuns },
  );
  // Otherwise it proves nothing; a busy machine has no time for all.
  if (runs >= numRuns) for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
}, 120_000);

const rowsOf = async (where = "true"): Promise<number> =>
  (await service.database.pool.query(`select from load_profiles where ${where}`)).rowCount ?? 0;

const noted = async () => {
  const { pool } = service.database;
  const { rows } = await pool.query<{ key: number }>("select key from sites where id = $1", [site()]);
  const fromMs = service.clock.now().getTime() - 2 * DAY_MS;
  return { late: lateNoteStore(pool), span: { site: rows[0]?.key ?? 0, fromMs, toMs: fromMs + HOUR_MS } };
};

const found = async (): Promise<number> => (await measuredBothWays(service, dispatches[0] ?? "")).found;

describe("the profiles of a day", () => {
  beforeAll(async () => {
    await name(null);
    await forget();
    await service.database.pool.query("delete from load_profiles");
    await makeProfiles(service);
  });

  test("are not used while a late reading of it is being stored, and go once it is", async () => {
    const before = await found();
    const kept = await rowsOf();
    const { late, span } = await noted();
    const notes = await late.note([span], service.clock.now());
    expect(await found()).toBeLessThan(before);
    expect(await rowsOf()).toBe(kept);
    await late.settle(notes, [span], service.clock.now());
    expect(await rowsOf()).toBeLessThan(kept);
    expect(await found()).toBeLessThan(before);
    // Nor made again: an upload that began before may still be under way.
    expect(await makeProfiles(service)).toBe(0);
    await forget();
    expect(await makeProfiles(service)).toBeGreaterThan(0);
    expect([await rowsOf(), await found()]).toEqual([kept, before]);
  });

  test("that a slow process adds after the note are not used, and go with the note", async () => {
    const [kept, before] = [await rowsOf(), await found()];
    const { late, span } = await noted();
    // As if they were added only now: nothing but a note that is deleted takes profiles away.
    await late.settle([], [span], service.clock.now());
    expect(await rowsOf()).toBe(kept);
    expect(await found()).toBeLessThan(before);
    await forget();
    expect(await rowsOf()).toBeLessThan(kept);
    await makeProfiles(service);
    expect([await rowsOf(), await found()]).toEqual([kept, before]);
  });

  test("are made once by two processes", async () => {
    const kept = await rowsOf();
    await service.database.pool.query("delete from load_profiles");
    await Promise.all([makeProfiles(service), makeProfiles(service)]);
    await makeProfiles(service);
    expect(await rowsOf()).toBe(kept);
  });

  test("that were cut by other rules of the time zone are made again", async () => {
    const before = await found();
    await service.database.pool.query("update load_profiles set cut = cut + 1");
    expect(await found()).toBe(0);
    expect(await makeProfiles(service)).toBe(await rowsOf());
    expect(await found()).toBe(before);
  });

  test("are deleted after two months", async () => {
    const { database, clock } = service;
    const day = Math.floor(clock.now().getTime() / DAY_MS);
    await database.pool.query(
      "insert into load_profiles select site, day, made_for, 0, '' from (select distinct site, made_for from load_profiles) as kind, unnest($1::int[]) as day",
      [[day - 61, day - 60]],
    );
    await makeProfiles(service);
    expect([await rowsOf(`day = ${day - 61}`), await rowsOf(`day = ${day - 60}`)]).toEqual([0, 2]);
  });
});

test("a meter that is added takes the profiles of its site away until it is as old as the look-back", async () => {
  await name(null);
  await makeProfiles(service);
  const body = { name: "new", asset_type: "load" } as const;
  const { id } = await service.made(operator.createMeter, { params: { id: site() }, body });
  const nowMs = Math.floor(service.clock.now().getTime() / HOUR_MS) * HOUR_MS;
  const [from, to] = [nowMs - 30 * HOUR_MS, nowMs].map((ms) => new Date(ms).toISOString());
  await uploadIntervals(
    anna,
    id,
    intervalsBetween([from ?? "", to ?? ""], 300, () => 11),
  );
  await forget();
  await makeProfiles(service);
  for (const dispatch of dispatches) {
    const { profiled, read, found: days } = await measuredBothWays(service, dispatch);
    expect(profiled).toEqual(read);
    expect(days).toBe(0);
  }
});
