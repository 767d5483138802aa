import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type MeterData, profiles, summaryOf } from "../src/index.js";
import { faultsOf, readFile } from "./support/read-file.js";

const folder = new URL("../../../examples/meter-data/layouts/", import.meta.url);
const files = readdirSync(folder);

/** kWh of each sample, computed when it was made. */
const energies: Readonly<Record<string, number>> = {
  "titles-us-dates-ends-included": 236.864,
  "date-and-clock-until-24": 263.548,
  "range-in-one-cell": 220.648,
  "date-and-clock-range": 460.2,
  "matrix-of-quarters": 278.008,
  "matrix-of-25-hours": 620.87,
  "four-columns-registers": 96.6,
  "cumulative-registers": 84.408,
  "unix-seconds-in-watts": 69.875667,
  "comments-and-offsets-production": -68.016,
  "hours-1-to-24": 220.648,
  "month-names-in-megawatts": 99928.15,
  "thousands-and-decimal-comma": 98399.68,
  "skipped-half-hours-listed": 45.352,
  "meters-in-a-column": 272.196,
  "compact-times": 229.748,
};
const zones: Readonly<Record<string, string>> = {
  "matrix-of-25-hours": "America/New_York",
  "skipped-half-hours-listed": "Europe/London",
};

const energyOf = ({ series }: MeterData): number =>
  series.reduce((sum, { intervals }) => sum + summaryOf(intervals).energyKwh, 0);

test("every layout that ships has a sample, and every sample a layout", () => {
  expect(files.map((file) => file.replace(/\..*/, "")).sort()).toEqual(profiles.map(({ name }) => name).sort());
  expect(Object.keys(energies).sort()).toEqual(profiles.map(({ name }) => name).sort());
});

test.for(profiles.map((profile) => [profile.name, profile] as const))(
  "%s: the sample is read unedited, its layout guessed without a doubt, its energy exact",
  ([name, { mapping }]) => {
    const file = readFileSync(new URL(files.find((each) => each.startsWith(`${name}.`)) ?? "", folder));
    const timezone = zones[name] ?? "Europe/Berlin";
    const guessed = readFile(file, { timezone }, 1000);
    expect(faultsOf(guessed)).toEqual([]);
    expect(guessed.table?.doubts).toEqual([]);
    const { zone } = guessed.table?.mapping.time ?? {};
    expect(zone).toBe(mapping.time.zone ?? timezone);
    expect(guessed.table?.mapping).toEqual({ ...mapping, time: { ...mapping.time, zone } });
    expect(energyOf(guessed)).toBeCloseTo(energies[name] ?? Number.NaN, 5);
    const stated = readFile(file, { timezone, mapping }, 1000);
    expect(faultsOf(stated)).toEqual([]);
    expect(stated.series).toEqual(guessed.series);
  },
);
