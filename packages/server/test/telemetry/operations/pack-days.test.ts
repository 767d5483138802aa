import { expect, test } from "vitest";
import { type ClosedDays, type DayStore, type MeterDay, Packing } from "../../../src/telemetry/operations/pack-days.js";

const NOW = new Date("2026-06-10T12:00:00Z");
const TODAY = Math.floor(NOW.getTime() / 86_400_000);

/** A store of meters that have one hour row on each of some days. */
const storeOf = (days: readonly (readonly number[])[], isBroken: (day: MeterDay) => boolean = () => false) => {
  const left = new Map(days.map((own, index) => [index + 1, new Set(own)]));
  const batches: MeterDay[][] = [];
  /** First days of the looks for further days. */
  const lookedFrom: number[] = [];
  const store: DayStore = {
    async closedDays({ after, before, fromDay }) {
      const [meter, own] = [...left].find(([each]) => each > after) ?? [];
      if (meter === undefined || own === undefined) return { meters: [], last: null };
      const from = fromDay.get(meter) ?? 0;
      lookedFrom.push(from);
      const [firstDay, lastDay] = [Math.min(...[...own].filter((day) => day >= from)), before - 1] as const;
      const closed: ClosedDays = { site: 1, meter, firstDay, lastDay };
      return { meters: firstDay <= lastDay ? [closed] : [], last: meter };
    },
    async pack(asked) {
      if (asked.some(isBroken)) throw new Error("damaged");
      batches.push([...asked]);
      const packed = asked.filter(({ meter, day }) => left.get(meter)?.delete(day));
      return { days: packed.length, bytes: 100 * packed.length };
    },
  };
  return { store, left, batches, lookedFrom };
};

const packingOf = (store: DayStore) => new Packing({ store, now: () => NOW, afterDays: 3 });

/** Takes steps until one has nothing to do; answers what was packed, and the errors. */
const run = async (packing: Packing) => {
  const outcome = { days: 0, bytes: 0, errors: 0 };
  for (let steps = 0; steps < 1000; steps++) {
    const step = await packing.step().catch(() => null);
    if (step === null) outcome.errors += 1;
    else if (step.isDone) return outcome;
    else {
      outcome.days += step.days;
      outcome.bytes += step.bytes;
    }
  }
  throw new Error("packing does not end");
};

test("every day that ended long enough ago is packed, a few in each transaction", async () => {
  const days = Array.from({ length: 50 }, (_, nth) => TODAY - 49 + nth);
  const { store, left, batches } = storeOf([days, days]);
  expect(await run(packingOf(store))).toEqual({ days: 2 * 46, bytes: 9200, errors: 0 });
  expect([...(left.get(1) ?? [])]).toEqual([TODAY - 3, TODAY - 2, TODAY - 1, TODAY]);
  expect(Math.max(...batches.map(({ length }) => length))).toBe(16);
});

test("meters have their turn one after the other, however many days one has", async () => {
  const days = Array.from({ length: 300 }, (_, nth) => TODAY - 400 + nth);
  const { store, batches } = storeOf([days, [TODAY - 9]]);
  await run(packingOf(store));
  expect(batches.findIndex((batch) => batch.some(({ meter }) => meter === 2))).toBe(1);
});

test("a day that cannot be packed keeps no other from it", async () => {
  const days = Array.from({ length: 60 }, (_, nth) => TODAY - 70 + nth);
  const { store, left } = storeOf(
    [days, [TODAY - 9]],
    ({ meter, day }) => meter === 1 && [TODAY - 68, TODAY - 20].includes(day),
  );
  const packing = packingOf(store);
  expect(await run(packing)).toMatchObject({ days: 59, errors: 2 });
  expect([...(left.get(1) ?? [])]).toEqual([TODAY - 68, TODAY - 20]);
  // After a rest, they are tried again.
  expect((await run(packing)).errors).toBeGreaterThan(0);
});

test("what was packed is not looked through again until all is, and then late days are found", async () => {
  const days = Array.from({ length: 40 }, (_, nth) => TODAY - 50 + nth);
  const { store, left, lookedFrom } = storeOf([days]);
  const packing = packingOf(store);
  await run(packing);
  expect(lookedFrom).toEqual([0, TODAY - 34, TODAY - 18, TODAY - 3]);
  left.get(1)?.add(TODAY - 60);
  expect(await run(packing)).toMatchObject({ days: 1 });
});

test("while another process packs, there is nothing to do", async () => {
  const { store } = storeOf([[TODAY - 9]]);
  const busy = packingOf({ ...store, pack: async () => null });
  expect((await busy.step()).isDone).toBe(false);
  expect(await busy.step()).toEqual({ days: 0, bytes: 0, isDone: true });
});
