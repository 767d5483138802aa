import { say } from "@curtail/words/page";
import { nextDay, startOfDay } from "../format/local-time.js";
import { power } from "../format/quantity.js";
import { Temporal } from "../format/temporal.js";

interface Block {
  readonly site_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly available_kw: number | null;
}

interface Site {
  readonly id: string;
  readonly timezone: string;
}

/** A day of the calendar: how many of the sites are not available, or only in part. */
export interface AvailabilityDay {
  readonly date: string;
  /** Sites that are not available all day. */
  readonly off: number;
  /** Sites that are not available for a part of it. */
  readonly part: number;
  /** Sites that are available with less power. */
  readonly reduced: number;
  /** The least power that is left at one of these, in kW. */
  readonly leastKw: number | null;
}

const WEEK_DAYS = 7;

/** Blocks that overlap a local day of their site. */
export const blocksOn = <B extends Block>(date: string, blocks: readonly B[], sites: readonly Site[]): B[] => {
  const zones = new Map(sites.map(({ id, timezone }) => [id, timezone]));
  return blocks
    .filter(({ site_id, start_time, end_time }) => {
      const zone = zones.get(site_id);
      if (zone === undefined) return false;
      const [start, end] = dayOf(date, zone);
      return Date.parse(start_time) < end && Date.parse(end_time) > start;
    })
    .toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
};

const dayOf = (date: string, zone: string): readonly [startMs: number, endMs: number] => [
  startOfDay(date, zone)?.getTime() ?? 0,
  startOfDay(nextDay(date), zone)?.getTime() ?? 0,
];

/** How long a local day of a site is blocked by whole blocks; where they overlap, it counts once. */
const blockedMs = (blocks: readonly Block[], [start, end]: readonly [number, number]): number => {
  let [sum, until] = [0, start];
  for (const block of blocks.toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time))) {
    const to = Math.min(end, Date.parse(block.end_time));
    sum += Math.max(0, to - Math.max(until, Date.parse(block.start_time)));
    until = Math.max(until, to);
  }
  return sum;
};

const stateOf = (date: string, blocks: readonly Block[], sites: readonly Site[]): AvailabilityDay => {
  const onDay = blocksOn(date, blocks, sites);
  const states = sites.map(({ id, timezone }) => {
    const own = onDay.filter(({ site_id }) => site_id === id);
    const day = dayOf(date, timezone);
    const ms = blockedMs(
      own.filter(({ available_kw }) => available_kw === null),
      day,
    );
    if (ms > 0) return ms === day[1] - day[0] ? "off" : "part";
    return own.length > 0 ? "reduced" : "free";
  });
  const kws = onDay.flatMap(({ available_kw }) => available_kw ?? []);
  const count = (state: (typeof states)[number]) => states.filter((each) => each === state).length;
  return {
    date,
    off: count("off"),
    part: count("part"),
    reduced: count("reduced"),
    leastKw: kws.length === 0 ? null : Math.min(...kws),
  };
};

/** The weeks of a month, from Monday; null for days of the months before and after. */
export const availabilityWeeks = (
  month: string,
  blocks: readonly Block[],
  sites: readonly Site[],
): (AvailabilityDay | null)[][] => {
  const sheet = Temporal.PlainYearMonth.from(month);
  const days = Array.from({ length: sheet.daysInMonth }, (_, index) =>
    stateOf(sheet.toPlainDate({ day: index + 1 }).toString(), blocks, sites),
  );
  const before = sheet.toPlainDate({ day: 1 }).dayOfWeek - 1;
  const cells = [...Array<null>(before).fill(null), ...days];
  return Array.from({ length: Math.ceil(cells.length / WEEK_DAYS) }, (_, week) =>
    Array.from({ length: WEEK_DAYS }, (_day, day) => cells[week * WEEK_DAYS + day] ?? null),
  );
};

/** A short word for the cell, so that colour is not the only sign; empty: available. */
export const cellWord = ({ off, part, reduced, leastKw }: AvailabilityDay, sites: number): string => {
  const taken = off + part;
  if (taken > 0 && sites > 1)
    return off > 0 ? say("{taken}/{sites} off", { taken, sites }) : say("{taken}/{sites} part", { taken, sites });
  if (taken > 0) return off > 0 ? say("off", {}, "not available") : say("part", {}, "not available in part");
  if (reduced === 0) return "";
  return sites > 1 ? say("{reduced}/{sites} less", { reduced, sites }) : power(leastKw);
};

/** The same in full, for screen readers. */
export const dayWords = ({ off, part, reduced, leastKw }: AvailabilityDay, sites: number): string => {
  const least = power(leastKw);
  const parts = [
    ...(off > 0
      ? [sites > 1 ? say("{n} of {sites} sites not available", { n: off, sites }) : say("not available")]
      : []),
    ...(part > 0
      ? [
          sites > 1
            ? say("{n} of {sites} sites not available for a part", { n: part, sites })
            : say("not available for a part"),
        ]
      : []),
    ...(reduced > 0
      ? [
          sites > 1
            ? say("{n} of {sites} sites reduced to {power} or more", { n: reduced, sites, power: least })
            : say("reduced to {power}", { power: least }),
        ]
      : []),
  ];
  return parts.length === 0 ? say("available") : parts.join(", ");
};
