import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { momentsIn } from "../src/load/moment.js";
import { type LoadKind, loadKinds, naturalLoads } from "../src/load/natural.js";

const zone = "America/Chicago";
const momentAt = momentsIn(zone);
const DAY_MS = 86_400_000;
const YEAR_START = Date.UTC(2026, 0, 1, 6);

const seeds = fc.integer({ min: 1, max: 10_000 });
const times = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });
const days = fc.integer({ min: 0, max: 364 });

/** Load at an hour of a local day of 2026, standard time. */
const at = (kind: LoadKind, seed: number, day: number, hour: number): number =>
  naturalLoads[kind](localMoment(day, hour), seed);

/** The moment of a day at which the local clock shows the hour, including in summer. */
const localMoment = (day: number, hour: number) => {
  const moment = momentAt(YEAR_START + day * DAY_MS + hour * 3_600_000);
  return momentAt(moment.atMs + (hour - moment.hour) * 3_600_000);
};

describe("any load", () => {
  test("is a number of sensible size at any time, the same on every call", () => {
    fc.assert(
      fc.property(fc.constantFrom(...loadKinds), seeds, times, (kind, seed, atMs) => {
        const load = naturalLoads[kind](momentAt(atMs), seed);
        expect(load).toBeGreaterThanOrEqual(kind === "solar" ? -1 : 0);
        expect(load).toBeLessThanOrEqual(kind === "solar" ? 0 : 1.3);
        expect(naturalLoads[kind](momentsIn(zone)(atMs), seed)).toBe(load);
      }),
    );
  });

  test("differs between sites of a kind", () => {
    for (const kind of loadKinds) expect(at(kind, 1, 10, 12)).not.toBe(at(kind, 2, 10, 12));
  });
});

describe("an office", () => {
  test("takes more at noon of a weekday than at night or at noon of a Sunday", () => {
    fc.assert(
      fc.property(seeds, days, (seed, day) => {
        const noon = at("office", seed, day, 12);
        if (localMoment(day, 12).isWeekend) return;
        expect(noon).toBeGreaterThan(1.5 * at("office", seed, day, 3));
        const sunday = [0, 1, 2, 3, 4, 5, 6].find(
          (ahead) => new Date(YEAR_START + (day + ahead) * DAY_MS).getUTCDay() === 0,
        );
        expect(noon).toBeGreaterThan(1.5 * at("office", seed, day + (sunday ?? 0), 12));
      }),
    );
  });

  test("takes more in July than in January", () => {
    for (const seed of [1, 2, 3, 4, 5]) expect(at("office", seed, 195, 15)).toBeGreaterThan(at("office", seed, 14, 15));
  });
});

describe("solar", () => {
  test("exports at noon of every day and does nothing at night", () => {
    fc.assert(
      fc.property(seeds, days, fc.double({ min: 0, max: 4, noNaN: true }), (seed, day, hours) => {
        expect(at("solar", seed, day, 12)).toBeLessThan(0);
        expect(at("solar", seed, day, hours)).toBe(0);
        expect(at("solar", seed, day, 20.75 + hours / 2)).toBe(0);
      }),
    );
  });
});

test("an EV depot charges in the evening, and a supermarket takes more while it is open", () => {
  fc.assert(
    fc.property(seeds, days, (seed, day) => {
      expect(at("ev_depot", seed, day, 20.5)).toBeGreaterThan(2 * at("ev_depot", seed, day, 9));
      expect(at("supermarket", seed, day, 16)).toBeGreaterThan(at("supermarket", seed, day, 3));
    }),
  );
});

describe("a moment", () => {
  test("has the clock of its zone, in summer and winter, and the day of the week that is there", () => {
    expect(momentAt(Date.UTC(2026, 0, 5, 5, 30))).toMatchObject({ hour: 23.5, isWeekend: true, dayOfYear: 3 });
    expect(momentAt(Date.UTC(2026, 6, 1, 5, 30))).toMatchObject({ hour: 0.5, isWeekend: false, dayOfYear: 181 });
    expect(momentsIn("Asia/Kolkata")(Date.UTC(2026, 0, 1))).toMatchObject({ hour: 5.5, dayOfYear: 0 });
    expect(momentsIn("UTC")(Date.UTC(2026, 0, 1))).toMatchObject({ hour: 0, dayOfYear: 0 });
  });
});
