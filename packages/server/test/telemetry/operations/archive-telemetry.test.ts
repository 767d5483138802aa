import { expect, test } from "vitest";
import { hoursOfMonth, monthOf } from "../../../src/telemetry/domain/retention.js";
import { type ArchiveStore, Archiving, type SiteMonth } from "../../../src/telemetry/operations/archive-telemetry.js";

const NOW = new Date("2026-06-10T12:00:00Z");
const APRIL = monthOf(Date.parse("2025-04-01T00:00:00Z"));
const MAY = APRIL + 1;

/** A store of sites that have readings in some months; archiving is put off this often. */
const storeOf = (sites: Record<number, readonly number[]>, delays = 0) => {
  const left = new Map(Object.entries(sites).map(([site, months]) => [Number(site), [...months]]));
  const archived: string[] = [];
  let putOff = delays;
  const store: ArchiveStore = {
    async oldMonths(after, before) {
      const [site, months] = [...left].find(([each]) => each > after) ?? [];
      if (site === undefined) return { months: [], last: null };
      const [month] = months ?? [];
      const isOld = month !== undefined && hoursOfMonth(month).from < before;
      return { months: isOld ? [{ site, month }] : [], last: site };
    },
    async archive({ site, month }: SiteMonth) {
      if (putOff-- > 0) return null;
      archived.push(`${site} ${month - APRIL}`);
      left.get(site)?.shift();
      return { readings: 10, bytes: 100 };
    },
  };
  return { store, archived };
};

/** Takes steps until there is nothing left; answers the number of readings. */
const run = async (store: ArchiveStore): Promise<number> => {
  const work = new Archiving({ store, now: () => NOW, keepDays: 400 });
  let readings = 0;
  for (let steps = 0; steps < 100; steps++) {
    const step = await work.step();
    if (step.isDone) return readings;
    readings += step.readings;
  }
  throw new Error("it never ends");
};

test("sites take turns, month by month, until only months that are kept are left", async () => {
  const { store, archived } = storeOf({ 1: [APRIL - 2, APRIL, MAY], 2: [], 3: [APRIL], 4: [MAY] });
  expect(await run(store)).toBe(30);
  expect(archived).toEqual(["1 -2", "3 0", "1 0"]);
});

test("a month that is put off has its turn again, and one that is put off every time does not go on forever", async () => {
  const sometimes = storeOf({ 1: [APRIL], 2: [APRIL] }, 1);
  expect(await run(sometimes.store)).toBe(20);
  expect(sometimes.archived).toEqual(["2 0", "1 0"]);
  // As where another process packs when all have their turn.
  const often = storeOf({ 1: [APRIL], 2: [APRIL] }, 9);
  expect(await run(often.store)).toBe(20);
  expect(await run(storeOf({ 1: [APRIL], 2: [APRIL] }, 1000).store)).toBe(0);
});
