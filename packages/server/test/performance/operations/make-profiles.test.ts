import { dateOf, dayOfDate } from "@curtail/measure";
import { expect, test } from "vitest";
import { PROFILED_DAYS, Profiling } from "../../../src/performance/operations/make-profiles.js";
import type {
  ProfileDays,
  ProfiledProgram,
  ProfiledSite,
  ProfileStore,
} from "../../../src/performance/operations/profile-ports.js";

const NOW = new Date("2026-06-10T05:30:00Z");

const program = (timezone: string, preset = "high_4_of_5"): ProfiledProgram => ({ timezone, baseline: { preset } });

const siteOf = (site: number, programs: readonly ProfiledProgram[], meters = [site * 10]): ProfiledSite => ({
  site,
  meters: meters.map((meter) => ({ site, meter })),
  programs,
});

const keyOf = ({ site, meters, timezone, intervalSeconds }: ProfileDays["source"]): string =>
  `${site} ${meters.join("+")} ${timezone} ${intervalSeconds}`;

/** A store without profiles at first, whose meters report but for some. */
const storeOf = (
  sites: readonly ProfiledSite[],
  { silent = [] as readonly number[], isBroken = (_site: number): boolean => false } = {},
) => {
  const made = new Map<string, Set<number>>();
  const batches: ProfileDays[][] = [];
  const forgotten: string[] = [];
  const store: ProfileStore = {
    async sites(after) {
      const next = sites.find(({ site }) => site > after);
      return next === undefined ? { sites: [], last: null } : { sites: [next], last: next.site };
    },
    reporting: async (of) =>
      new Set(of.flatMap(({ meters }) => meters.map(({ meter }) => meter)).filter((meter) => !silent.includes(meter))),
    missing:
      async () =>
      (source, { from, to }) =>
        Array.from({ length: to - from + 1 }, (_, nth) => from + nth).filter(
          (day) => made.get(keyOf(source))?.has(day) !== true,
        ),
    async make(wanted) {
      if (wanted.some(({ source }) => isBroken(source.site))) throw new Error("damaged");
      batches.push([...wanted]);
      for (const { source, days } of wanted)
        made.set(keyOf(source), new Set([...(made.get(keyOf(source)) ?? []), ...days]));
      return wanted.flatMap(({ days }) => days).length;
    },
    forget: async (numbers, beforeDay) => void forgotten.push(`${numbers.join(" ")} before ${dateOf(beforeDay)}`),
  };
  return { store, made, batches, forgotten };
};

/** Takes steps until one has nothing to do; answers how many profiles were made. */
const run = async (profiling: Profiling) => {
  const outcome = { made: 0, errors: 0 };
  for (let steps = 0; steps < 1000; steps++) {
    const step = await profiling.step().catch(() => null);
    if (step === null) outcome.errors += 1;
    else if (step.isDone) return outcome;
    else outcome.made += step.made;
  }
  throw new Error("profiling does not end");
};

const profilingOf = (store: ProfileStore, now = NOW) => new Profiling({ store, now: () => now });

test("every day of the last weeks gets a profile two hours after it ended where the site is, and later ones when they end", async () => {
  const { store, made, forgotten } = storeOf([
    siteOf(1, [program("America/New_York"), program("Asia/Tokyo", "middle_8_of_10")]),
  ]);
  expect(await run(profilingOf(store))).toEqual({ made: 2 * PROFILED_DAYS, errors: 0 });
  const spans = [...made].map(([key, days]) => `${key}: ${dateOf(Math.min(...days))} to ${dateOf(Math.max(...days))}`);
  // In New York it is half past one, so the day before is not closed yet.
  expect(spans).toEqual([
    "1 10 America/New_York 3600: 2026-04-25 to 2026-06-08",
    "1 10 Asia/Tokyo 900: 2026-04-26 to 2026-06-09",
  ]);
  expect(forgotten).toEqual(["1 before 2026-04-11"]);
  expect(await run(profilingOf(store))).toEqual({ made: 0, errors: 0 });
  expect(await run(profilingOf(store, new Date("2026-06-10T06:00:00Z")))).toEqual({ made: 1, errors: 0 });
  expect(made.get("1 10 America/New_York 3600")?.has(dayOfDate("2026-06-09"))).toBe(true);
});

test("the newest days come first, of as many sites at once as take some milliseconds", async () => {
  const { store, batches } = storeOf([siteOf(1, [program("UTC")], [11, 12]), siteOf(2, [program("UTC")])]);
  await run(profilingOf(store));
  expect(
    Math.max(
      ...batches.map((batch) => batch.reduce((sum, { source, days }) => sum + source.meters.length * days.length, 0)),
    ),
  ).toBeLessThan(96);
  expect(Math.max(...(batches[0]?.[0]?.days ?? []))).toBe(dayOfDate("2026-06-09"));
});

test("sites that look back on no days, or on intervals of a minute, have none, nor do meters that are silent", async () => {
  const minutes = { method: { kind: "days", interval_seconds: 60 } } as unknown as ProfiledProgram["baseline"];
  const none = siteOf(1, [
    program("UTC", "meter_before"),
    { timezone: "UTC", baseline: minutes },
    program("UTC", "gone"),
  ]);
  const { store, made } = storeOf([none, siteOf(2, [program("UTC")], [21, 22]), siteOf(3, [program("UTC")])], {
    silent: [22, 30],
  });
  expect(await run(profilingOf(store))).toEqual({ made: PROFILED_DAYS, errors: 0 });
  expect([...made.keys()]).toEqual(["2 21 UTC 3600"]);
});

test("a site whose readings are damaged keeps no other from its profiles, and is tried again", async () => {
  const isDamaged = new Set([2]);
  // One day of each is missing, so that all are made at once.
  const sites = [1, 2, 3].map((site) => siteOf(site, [program("UTC")]));
  const { store, made } = storeOf(sites, { isBroken: (site) => isDamaged.has(site) });
  const all: ProfileStore = {
    ...store,
    sites: async (after) => (after > 0 ? { sites: [], last: null } : { sites, last: 3 }),
    missing:
      async () =>
      (_source, { to }) =>
        made.size === 3 ? [] : [to],
  };
  const profiling = profilingOf(all);
  expect(await run(profiling)).toEqual({ made: 2, errors: 1 });
  isDamaged.clear();
  expect((await run(profiling)).errors).toBe(0);
  expect(new Set([...made.keys()].map((key) => key[0]))).toEqual(new Set(["1", "2", "3"]));
});

test("nothing is made while another process makes profiles", async () => {
  const { store } = storeOf([siteOf(1, [program("UTC")])]);
  expect(await run(profilingOf({ ...store, make: async () => null }))).toEqual({ made: 0, errors: 0 });
});
