import fc from "fast-check";
import type { MeterData, StatedMapping } from "../../src/index.js";
import {
  dateForms,
  type Layout,
  type Load,
  languageNames,
  localOf,
  meterNames,
  midnightOf,
  truthOf,
  written,
} from "./layout.js";
import { readFile } from "./read-file.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Nights in which clocks change, and a day without. */
const days = [
  ["Europe/Berlin", "2026-03-28"],
  ["Europe/Berlin", "2025-10-25"],
  ["America/New_York", "2026-03-07"],
  ["America/New_York", "2025-10-31"],
  ["Australia/Sydney", "2026-04-04"],
  ["Australia/Sydney", "2025-10-04"],
  ["Europe/London", "2026-06-05"],
  ["America/Chicago", "2026-07-06"],
  ["Asia/Kolkata", "2026-01-01"],
  ["America/Los_Angeles", "2026-01-30"],
  ["UTC", "2026-02-27"],
] as const;

const layouts: fc.Arbitrary<Layout> = fc
  .record({
    language: fc.constantFrom(...languageNames),
    delimiter: fc.constantFrom(",", ";", "\t", "|"),
    decimal: fc.constantFrom(".", ","),
    thousands: fc.boolean(),
    time: fc.constantFrom(
      "one",
      "one",
      "date and clock",
      "range",
      "date and range",
      "start and end",
      "start and end in four",
      "hour",
      "24:00",
    ),
    date: fc.constantFrom(...dateForms),
    clock: fc.constantFrom("24h", "12h", "seconds"),
    label: fc.constantFrom("start", "end"),
    isLabelNamed: fc.boolean(),
    unit: fc.constantFrom("Wh", "kWh", "MWh", "W", "kW", "MW"),
    kind: fc.constantFrom("interval", "interval", "interval", "cumulative"),
    unitPlace: fc.constantFrom("header", "header", "column", "line", "nowhere"),
    shape: fc.constantFrom(
      "one",
      "wide",
      "long",
      "matrix",
      "matrix with an hour at the end",
      "matrix with an hour inside",
    ),
    titles: fc.constantFrom(0, 1, 2, 3),
    extras: fc.subarray(["cost", "temperature", "note", "empty"] as const),
    isTimeLast: fc.boolean(),
    order: fc.constantFrom("rises", "falls", "by meter"),
    hasTotal: fc.boolean(),
    hasComment: fc.boolean(),
    skipsAreListed: fc.boolean(),
    lineEnd: fc.constantFrom("\n", "\r\n"),
    bom: fc.boolean(),
  } satisfies { [M in keyof Layout]: fc.Arbitrary<Layout[M]> })
  .map((layout) => consistent(layout));

/** Nobody writes hours of Unix seconds, or sums of registers. */
const consistent = (layout: Layout): Layout => {
  let found: Layout = layout;
  const isWhole = ["unix", "unix ms", "iso offset"].includes(layout.date);
  if (layout.shape.startsWith("matrix")) {
    const unitPlace = layout.unitPlace === "line" ? "header" : layout.unitPlace;
    found = { ...found, kind: "interval", time: "date and clock", unitPlace, hasTotal: false, isTimeLast: false };
    if (isWhole) found = { ...found, date: "iso" };
  } else if (isWhole && !["one", "start and end"].includes(layout.time)) found = { ...found, time: "one" };
  if (layout.date === "compact" && layout.time === "range") found = { ...found, time: "one" };
  if (found.kind === "cumulative") {
    const unit = found.unit.endsWith("h") ? found.unit : "kWh";
    found = {
      ...found,
      unit,
      time: ["one", "date and clock"].includes(found.time) ? found.time : "one",
      label: "end",
      hasTotal: false,
    };
    if (found.unitPlace === "nowhere") found = { ...found, unitPlace: "header" };
  }
  if (found.time === "hour" || found.time === "24:00") found = { ...found, label: "end", isLabelNamed: false };
  // A sum in the first column needs a text there.
  return found.isTimeLast ? { ...found, hasTotal: false } : found;
};

export const files = fc
  .record({
    layout: layouts,
    place: fc.constantFrom(...days),
    minutes: fc.constantFrom(15, 15, 30, 60),
    dayCount: fc.integer({ min: 1, max: 4 }),
    meters: fc.integer({ min: 1, max: 3 }),
    cut: fc.nat(7),
    seed: fc.nat(1_000_000),
  })
  .map(({ layout, place: [zone, day], minutes, dayCount, meters, cut, seed }): { layout: Layout; load: Load } => {
    const step = layout.time === "hour" ? 60 : minutes;
    const isCut = cut < 3 && !layout.shape.startsWith("matrix");
    const first = midnightOf(zone, Date.parse(`${day}T00:00:00Z`));
    const startMs = first + (isCut ? (cut + 1) * step * 60_000 : 0);
    const endMs = midnightOf(zone, Date.parse(`${day}T00:00:00Z`) + dayCount * DAY_MS);
    const count = (endMs - startMs) / (step * 60_000);
    const next = random(seed);
    const energies = Array.from({ length: layout.shape === "one" ? 1 : meters }, () =>
      Array.from({ length: count }, () => Math.floor(next() * 40_000) / 1000),
    );
    return { layout, load: { zone, startMs, minutes: step, energies } };
  });

/** The same numbers for a seed. */
const random = (seed: number) => {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

export type Verdict = "right" | "asked" | "refused";

/** Kilowatt-hours of every hour, by meter. */
const energyOf = ({ series }: MeterData): Array<Map<number, number>> =>
  series.map(({ intervals }) => {
    const hours = new Map<number, number>();
    for (let at = 0; at < intervals.count; at++) {
      const hour = Math.floor((intervals.startMs[at] ?? 0) / HOUR_MS);
      const kwh = ((intervals.powerKw[at] ?? 0) * (intervals.seconds[at] ?? 0)) / 3600;
      hours.set(hour, (hours.get(hour) ?? 0) + kwh);
    }
    return hours;
  });

const expected = ({ startMs, minutes, energies }: Load): Array<Map<number, number>> =>
  energies.map((all) => {
    const hours = new Map<number, number>();
    for (const [at, kwh] of all.entries()) {
      const hour = Math.floor((startMs + at * minutes * 60_000) / HOUR_MS);
      hours.set(hour, (hours.get(hour) ?? 0) + kwh);
    }
    return hours;
  });

export const isEqual = (data: MeterData, load: Load): boolean => {
  const [found, wanted] = [energyOf(data), expected(load)];
  const order =
    found.length === 1
      ? [0]
      : meterNames.slice(0, wanted.length).map((name) => data.series.findIndex((series) => series.name.includes(name)));
  return (
    found.length === wanted.length &&
    wanted.every((hours, meter) => {
      const has = found[order[meter] ?? -1];
      return (
        has?.size === hours.size &&
        [...hours].every(([hour, kwh]) => Math.abs((has.get(hour) ?? Number.NaN) - kwh) < 1e-6)
      );
    })
  );
};

/** Reads the file as it is, and again with its questions answered. Throws if it was read wrongly in silence. */
export const verdictOf = (layout: Layout, load: Load): { readonly verdict: Verdict; readonly data: MeterData } => {
  const text = written(layout, load);
  const options = { timezone: load.zone };
  const guessed = readFile(text, options, 65_536);
  if (guessed.faultCount === 0) {
    if (!isEqual(guessed, load))
      throw new Error(`read wrongly in silence:\n${text.slice(0, 1500)}\n${JSON.stringify(guessed.table)}`);
    return { verdict: "right", data: guessed };
  }
  const answered = answeredBy(layout, load, guessed, text);
  if (answered.faultCount > 0) return { verdict: "refused", data: answered };
  if (!isEqual(answered, load))
    throw new Error(`read wrongly after the answers:\n${text.slice(0, 1500)}\n${JSON.stringify(answered.table)}`);
  return { verdict: "asked", data: answered };
};

const answeredBy = (layout: Layout, load: Load, first: MeterData, text: string): MeterData => {
  const truth = truthOf(layout, load);
  let [data, mapping]: [MeterData, StatedMapping] = [first, {}];
  for (let round = 0; round < 4 && (data.table?.doubts.length ?? 0) > 0; round++) {
    for (const { member } of data.table?.doubts ?? []) mapping = joined(mapping, truth[member] ?? {});
    data = readFile(text, { timezone: load.zone, mapping }, 65_536);
  }
  return data;
};

const joined = (a: StatedMapping, b: StatedMapping): StatedMapping => ({
  ...a,
  ...b,
  ...(a.time || b.time ? { time: { ...a.time, ...b.time } } : {}),
  ...(a.values || b.values ? { values: [{ ...a.values?.[0], ...b.values?.[0] }] } : {}),
});

/** Whether clocks change within a load, at an offset of its own or none. */
export const hasChange = ({ zone, startMs, minutes, energies }: Load): boolean => {
  const endMs = startMs + (energies[0]?.length ?? 0) * minutes * 60_000;
  return localOf(zone, startMs) - startMs !== localOf(zone, endMs) - endMs;
};
