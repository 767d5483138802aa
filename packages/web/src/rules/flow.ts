import type { participantConsole } from "@curtail/contract";
import { SILENT_MINUTES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { power } from "../format/quantity.js";
import { knownSum } from "./known-sum.js";

type Meter = participantConsole.SiteOverview["meters"][number];

/** What a site exchanges with its grid, generators and batteries. */
export type FlowPart = "grid" | "generation" | "battery" | "load";

export interface Flow {
  readonly part: FlowPart;
  /** As a meter counts: negative for what is fed into the site from there, or exported for the grid; null: unknown. */
  readonly kw: number | null;
  /** Whether it is calculated from the others, since no meter measures it. */
  readonly isDerived: boolean;
}

const isFresh = ({ last_reading }: Meter, now: Date): boolean =>
  last_reading !== null && now.getTime() - Date.parse(last_reading.timestamp) <= SILENT_MINUTES * 60_000;

/** Power below this is none, so that noise does not draw arrows. */
const NOTHING_KW = 0.05;

/**
 * The flows of a site that has a generator or a battery; null for others. A part without a meter is calculated if all
 * others are known: what the grid supplies is the sum of load, generation and battery.
 */
export const flowsOf = (meters: readonly Meter[], now: Date): readonly Flow[] | null => {
  const of = (type: Meter["asset_type"]) => meters.filter(({ asset_type }) => asset_type === type);
  const [poi, generators, batteries, loads] = [of("poi"), of("generator"), of("battery"), of("load")];
  if (generators.length + batteries.length === 0) return null;
  const known = (some: readonly Meter[]) =>
    some.every((meter) => isFresh(meter, now))
      ? knownSum(some.map(({ last_reading }) => last_reading?.value ?? null))
      : null;
  const [generation, battery] = [partOf(generators, known), partOf(batteries, known)];
  const [grid, load] = [partOf(poi, known), partOf(loads, known)];
  const behind = sumOf([generation, battery]);
  const derivedLoad = grid === undefined || behind === null ? null : minus(grid, behind);
  const derivedGrid = load === undefined || behind === null ? null : sumOf([load, behind]);
  return [
    { part: "grid", kw: grid === undefined ? derivedGrid : grid, isDerived: grid === undefined },
    ...(generation === undefined ? [] : [{ part: "generation", kw: generation, isDerived: false } as const]),
    ...(battery === undefined ? [] : [{ part: "battery", kw: battery, isDerived: false } as const]),
    { part: "load", kw: load === undefined ? derivedLoad : load, isDerived: load === undefined },
  ];
};

/** undefined: there is no such meter. */
const partOf = (meters: readonly Meter[], known: (some: readonly Meter[]) => number | null) =>
  meters.length === 0 ? undefined : known(meters);

const sumOf = (parts: readonly (number | null | undefined)[]): number | null => {
  const present = parts.filter((part) => part !== undefined);
  return present.includes(null) ? null : present.reduce<number>((sum, kw) => sum + (kw ?? 0), 0);
};

const minus = (whole: number | null, part: number): number | null => (whole === null ? null : whole - part);

export type Direction = "in" | "out" | "none";

/** Which way the power goes, as seen from the site's busbar: `in` from a source, `out` to a user. */
export const directionOf = ({ part, kw }: Flow): Direction => {
  if (kw === null || Math.abs(kw) < NOTHING_KW) return "none";
  const supplies = part === "grid" ? kw > 0 : kw < 0;
  return supplies ? "in" : "out";
};

const verbs: Readonly<Record<FlowPart, Readonly<Record<Direction, string>>>> = {
  grid: { in: say("supplies"), out: say("takes"), none: say("exchanges nothing") },
  generation: { in: say("produces"), out: say("uses"), none: say("produces nothing") },
  battery: { in: say("discharges"), out: say("charges with"), none: say("is idle") },
  load: { in: say("feeds back"), out: say("uses"), none: say("uses nothing") },
};

const sentences: Readonly<Record<FlowPart, Readonly<Record<Direction, (power: string) => string>>>> = {
  grid: {
    in: (kw) => say("Grid supplies {power}", { power: kw }),
    out: (kw) => say("Grid takes {power}", { power: kw }),
    none: () => say("Grid exchanges nothing"),
  },
  generation: {
    in: (kw) => say("Generation produces {power}", { power: kw }),
    out: (kw) => say("Generation uses {power}", { power: kw }),
    none: () => say("Generation produces nothing"),
  },
  battery: {
    in: (kw) => say("Battery discharges {power}", { power: kw }),
    out: (kw) => say("Battery charges with {power}", { power: kw }),
    none: () => say("Battery is idle"),
  },
  load: {
    in: (kw) => say("Load feeds back {power}", { power: kw }),
    out: (kw) => say("Load uses {power}", { power: kw }),
    none: () => say("Load uses nothing"),
  },
};

export const flowNames: Readonly<Record<FlowPart, string>> = {
  grid: say("Grid"),
  generation: say("Generation"),
  battery: say("Battery"),
  load: say("Load"),
};

/** `Battery discharges 40 kW` */
export const flowWords = (flow: Flow): string => {
  const name = flowNames[flow.part];
  if (flow.kw === null) return say("{part}: not known, a meter is silent", { part: name });
  const words = sentences[flow.part][directionOf(flow)](power(Math.abs(flow.kw)));
  return flow.isDerived ? say("{words} (calculated)", { words }) : words;
};

/** The verb alone, for the picture. */
export const flowVerb = (flow: Flow): string => verbs[flow.part][directionOf(flow)];
