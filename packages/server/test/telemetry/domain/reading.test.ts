import { describe, expect, test } from "vitest";
import { isRefusal } from "../../../src/platform/refusal.js";
import {
  ReadingCheck,
  type Readings,
  refuseEnergies,
  refuseMany,
  refuseTimes,
  timeBounds,
  type UploadedReading,
} from "../../../src/telemetry/domain/reading.js";

const NOW = new Date("2026-07-01T18:00:00Z");

const checkReadings = (uploaded: readonly UploadedReading[]) => {
  const check = new ReadingCheck(uploaded.length, timeBounds(NOW, null));
  for (const each of uploaded) check.add(each);
  return check.result();
};

const reading = (than: Partial<UploadedReading> = {}): UploadedReading => ({
  interval_seconds: 60,
  timestamp: "2026-07-01T17:00:00Z",
  meter_id: "mtr_1",
  ...(than.value === undefined ? { kW: 1 } : {}),
  ...than,
});

const charge = (value: number): UploadedReading => reading({ value, units: "kWh", interval_seconds: 30 });

const taken = (...uploaded: UploadedReading[]): Readings => {
  const readings = checkReadings(uploaded);
  if (isRefusal(readings)) throw new Error(readings.message);
  return readings;
};

const refusal = (...uploaded: UploadedReading[]): string => {
  const readings = checkReadings(uploaded);
  const refused = isRefusal(readings) ? readings : refuseEnergies(readings, new Set());
  return refused?.message ?? "no refusal";
};

const without = (member: keyof UploadedReading, of: UploadedReading): UploadedReading => {
  const { [member]: _, ...rest } = of;
  return rest as UploadedReading;
};

describe("the power of a reading is in kW (G20)", () => {
  test.each([
    ["kW as it stands", { kW: -3.5 }, -3.5],
    ["value in kW as it stands", { value: 7, units: "kW" as const }, 7],
    ["1 kWh in 90 seconds as 40 kW", { value: 1, units: "kWh" as const, interval_seconds: 90 }, 40],
    ["an export in kWh with its sign", { value: -0.5, units: "kWh" as const, interval_seconds: 60 }, -30],
    ["zero as zero", { value: 0, units: "kWh" as const }, 0],
  ])("%s", (_, than, expected) => {
    expect(taken(reading(than)).powerKw[0]).toBe(expected);
  });

  test("in one upload either shape may stand", () => {
    expect([...taken(reading({ kW: 1 }), reading({ value: 2, units: "kW" })).powerKw]).toEqual([1, 2]);
  });

  test("but one reading has one shape, and a whole one", () => {
    expect(refusal(reading({ kW: 1, value: 1, units: "kW" }))).toMatch(/^telemetry\[0\] mixes two shapes/);
    expect(refusal(reading({ kW: 1, units: "kW" }))).toMatch(/mixes two shapes/);
    expect(refusal(reading({ value: 1 }))).toMatch(/no power; give kW, or value together with units/);
    expect(refusal(without("kW", reading()))).toMatch(/no power/);
  });
});

describe("a reading belongs to a meter or to a site (G26)", () => {
  test("sources are gathered in the order of their first reading", () => {
    const site = { ...without("meter_id", reading()), site_id: "site_1" };
    const { sources, source } = taken(reading(), site, reading({ meter_id: "mtr_2" }), reading());
    expect(sources).toEqual([
      { kind: "meter", id: "mtr_1", at: 0 },
      { kind: "site", id: "site_1", at: 1 },
      { kind: "meter", id: "mtr_2", at: 2 },
    ]);
    expect([...source]).toEqual([0, 1, 2, 0]);
  });

  test("never to both, never to neither", () => {
    expect(refusal(reading({ site_id: "site_1" }))).toMatch(/names both meter_id and site_id/);
    expect(refusal(without("meter_id", reading()))).toMatch(/names neither meter_id nor site_id/);
  });
});

describe("the limits of a reading (G27)", () => {
  test("5 minutes ahead is taken, a millisecond more is not", () => {
    expect(taken(reading({ timestamp: "2026-07-01T18:05:00Z" })).count).toBe(1);
    expect(refusal(reading({ timestamp: "2026-07-01T18:05:00.001Z" }))).toMatch(
      /telemetry\[0\]\.timestamp .*in the future/,
    );
  });

  test("readings in columns have a separate check for the future", () => {
    const columns = taken(reading({ timestamp: "2026-07-01T18:05:00Z" }), reading());
    expect(refuseTimes(columns, timeBounds(NOW, null))).toBeNull();
    expect(refuseTimes(columns, timeBounds(new Date(NOW.getTime() - 1), null))?.message).toMatch(
      /^telemetry\[0\]\.timestamp is 2026-07-01T18:05:00Z, which is in the future/,
    );
  });

  test("with a limit on their age, those of whole months before it are refused; without one, none is", () => {
    const old = reading({ timestamp: "2025-05-31T23:59:59Z" });
    const kept = reading({ timestamp: "2025-06-01T00:00:00Z" });
    const check = new ReadingCheck(2, timeBounds(new Date("2026-07-06T12:00:00Z"), 400));
    check.add(kept);
    check.add(old);
    expect(check.result()).toMatchObject({
      message: expect.stringMatching(
        /^telemetry\[1\]\.timestamp is 2025-05-31T23:59:59Z; readings before 2025-06-01T00:00:00Z are not kept any more/,
      ),
    });
    expect(refuseTimes(taken(kept, old), timeBounds(new Date("2026-07-06T12:00:00Z"), 400))?.message).toMatch(
      /^telemetry\[1\]/,
    );
    expect(taken(old).count).toBe(1);
  });

  test("10,000,000 kW in either direction is taken, more is not, also by way of kWh", () => {
    expect(taken(reading({ kW: 10_000_000 }), reading({ kW: -10_000_000 })).count).toBe(2);
    expect(refusal(reading({ kW: 10_000_000.1 }))).toMatch(/at most 10000000 kW/);
    expect(refusal(reading({ value: 1e6, units: "kWh", interval_seconds: 30 }))).toMatch(/at most 10000000 kW/);
    expect(refusal(reading({ value: 1e308, units: "kWh", interval_seconds: 30 }))).toMatch(/at most 10000000 kWh/);
  });

  test("10,000,000 kWh of a battery in either direction is taken, more is not", () => {
    const both = taken(charge(10_000_000), charge(-10_000_000));
    expect(refuseEnergies(both, new Set([0]))).toBeNull();
    expect(refuseEnergies(both, new Set([1]))?.message).toMatch(/telemetry\[0\]\.value is 1200000000 kW/);
    expect(refusal(charge(10_000_000.1))).toMatch(/is 10000000.1 kWh; its magnitude may be at most 10000000 kWh/);
  });

  test("a timestamp is a real moment since 1970", () => {
    expect(refusal(reading({ timestamp: "2026-02-30T00:00:00Z" }))).toMatch(/telemetry\[0\]\.timestamp is "2026-02-30/);
    expect(refusal(reading({ timestamp: "1969-12-31T23:59:59Z" }))).toMatch(/before 1970/);
  });

  test("an upload holds up to the limit of readings, none included", () => {
    expect(taken().count).toBe(0);
    expect(refuseMany("telemetry", 1, 1)).toBeNull();
    expect(refuseMany("telemetry", 2, 1)?.message).toMatch(/^telemetry has more than 1 readings/);
  });

  test("the first 20 offending readings are named, and the rest counted (G6)", () => {
    const upload = Array.from({ length: 30 }, (_, index) => reading(index < 25 ? { kW: 2e7 } : {}));
    const message = refusal(...upload);
    expect(message.match(/telemetry\[\d+\]/g)).toHaveLength(20);
    expect(message).toMatch(/and 5 more\. Nothing was stored/);
  });
});
