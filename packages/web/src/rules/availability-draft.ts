import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { fromLocalInput, localDay, nextDay, startOfDay, toLocalInput } from "../format/local-time.js";
import { Temporal } from "../format/temporal.js";
import { dayAndClock } from "../format/time.js";

type Added = participantConsole.AvailabilityChange["add"][number];
type Site = Pick<participantConsole.SiteOverview, "id" | "name" | "timezone" | "schedule_cutoff_seconds">;
type Block = Pick<Added, "site_id" | "start_time" | "end_time" | "available_kw"> & { readonly id: string };

/** A block as it is typed, on the clocks of each site. */
export interface BlockDraft {
  /** `2026-11-24` */
  readonly date: string;
  readonly isWholeDay: boolean;
  /** `09:00`; an end that is not later is on the next day. */
  readonly from: string;
  readonly to: string;
  /** Power that is left, as typed; null: the site is not available. */
  readonly kw: string | null;
  /** The last day on which it is repeated every week; null: once. */
  readonly until: string | null;
  readonly siteIds: readonly string[];
}

/** Blocks of one change; the service refuses more. */
const MOST_BLOCKS = 500;

export const newDraft = (date: string, siteIds: readonly string[]): BlockDraft => ({
  date,
  isWholeDay: true,
  from: "09:00",
  to: "17:00",
  kw: null,
  until: null,
  siteIds,
});

const isStartOfDay = (at: Date, timeZone: string): boolean =>
  startOfDay(localDay(at, timeZone), timeZone)?.getTime() === at.getTime();

/** A block as a draft of its site; null if it lasts more than a day, which this form cannot show. */
export const draftOf = (
  { site_id, start_time, end_time, available_kw }: Block,
  timeZone: string,
): BlockDraft | null => {
  const [start, end] = [new Date(start_time), new Date(end_time)];
  const date = localDay(start, timeZone);
  const isWholeDay = isStartOfDay(start, timeZone) && startOfDay(nextDay(date), timeZone)?.getTime() === end.getTime();
  const [from = "", to = ""] = [start, end].map((at) => toLocalInput(at, timeZone).slice(11, 16));
  const kw = available_kw === null ? null : String(available_kw);
  const draft = { date, isWholeDay, from, to, kw, until: null, siteIds: [site_id] };
  const [period] = [periodOn(draft, date, timeZone)];
  return typeof period !== "string" && period.end.getTime() === end.getTime() ? draft : null;
};

interface LocalPeriod {
  readonly start: Date;
  readonly end: Date;
}

/** The period of a draft on a day, or the local time that does not exist then. */
const periodOn = ({ isWholeDay, from, to }: BlockDraft, date: string, timeZone: string): LocalPeriod | string => {
  const next = nextDay(date);
  const ends = to > from ? `${date}T${to}` : `${next}T${to}`;
  const [start, end] = isWholeDay
    ? [startOfDay(date, timeZone), startOfDay(next, timeZone)]
    : [fromLocalInput(`${date}T${from}`, timeZone), fromLocalInput(ends, timeZone)];
  if (start === null) return `${date} ${from}`;
  return end === null ? ends.replace("T", " ") : { start, end };
};

/** The days of a draft: its own, and those of the weeks until the last. */
export const datesOf = ({ date, until }: Pick<BlockDraft, "date" | "until">): string[] => {
  if (until === null || until <= date) return [date];
  const [first, last] = [Temporal.PlainDate.from(date), Temporal.PlainDate.from(until)];
  const weeks = Math.floor(first.until(last, { largestUnit: "days" }).days / 7);
  return Array.from({ length: weeks + 1 }, (_, week) => first.add({ weeks: week }).toString());
};

export interface Drafted {
  readonly add: readonly Added[];
  /** What is wrong; null: it may be sent. */
  readonly fault: string | null;
}

const faulty = (fault: string): Drafted => ({ add: [], fault });

/** The blocks of a draft, for each of its sites and days. */
export const blocksOf = (draft: BlockDraft, sites: readonly Site[]): Drafted => {
  const chosen = sites.filter(({ id }) => draft.siteIds.includes(id));
  if (chosen.length === 0) return faulty(say("Choose at least one site."));
  const kw = draft.kw === null ? null : Number(draft.kw);
  if (kw !== null && !(kw > 0)) return faulty(say("Enter the power that is left, in kW, more than 0."));
  const dates = datesOf(draft);
  if (dates.length * chosen.length > MOST_BLOCKS)
    return faulty(
      say("These are {n} blocks, at most {most} are added at once. Choose an earlier last day or fewer sites.", {
        n: dates.length * chosen.length,
        most: MOST_BLOCKS,
      }),
    );
  const add: Added[] = [];
  for (const date of dates) {
    for (const { id, name, timezone } of chosen) {
      const period = periodOn(draft, date, timezone);
      if (typeof period === "string")
        return faulty(
          say("{time} does not exist at {site}, because the clocks go forward. Choose another time.", {
            time: period,
            site: name,
          }),
        );
      add.push({
        site_id: id,
        start_time: period.start.toISOString(),
        end_time: period.end.toISOString(),
        available_kw: kw,
      });
    }
  }
  return { add, fault: null };
};

export interface Cutoff {
  readonly site: Site;
  /** The latest moment at which the block can be added. */
  readonly until: Date;
  readonly start: Date;
}

/** The earliest cut-off of the blocks. */
export const cutoffOf = (add: readonly Added[], sites: readonly Site[]): Cutoff | null => {
  const cutoffs = add.flatMap(({ site_id, start_time }) => {
    const site = sites.find(({ id }) => id === site_id);
    const start = new Date(start_time);
    return site === undefined
      ? []
      : [{ site, start, until: new Date(start.getTime() - site.schedule_cutoff_seconds * 1000) }];
  });
  return cutoffs.toSorted((a, b) => a.until.getTime() - b.until.getTime())[0] ?? null;
};

/** `Changes for Tue 24 Nov, 09:00 must be made before Mon 23 Nov, 12:00 (America/Chicago).` */
export const cutoffWords = ({ site: { name, timezone }, until, start }: Cutoff, now: Date): string => {
  const at = (moment: Date) => dayAndClock(moment, timezone, now);
  if (until.getTime() === start.getTime() && until > now) return say("Changes must be made before the block starts.");
  const times = { start: at(start), until: at(until), zone: timezone };
  return until <= now
    ? say("Too late: changes for {start} at {site} had to be made before {until} ({zone}).", { ...times, site: name })
    : say("Changes for {start} must be made before {until} ({zone}).", times);
};

/** Blocks of a series from one of them on, that of other sites included. */
export const laterInSeries = <B extends { readonly series_id: string | null; readonly start_time: string }>(
  blocks: readonly B[],
  { series_id, start_time }: B,
): B[] =>
  blocks.filter((each) => each.series_id === series_id && Date.parse(each.start_time) >= Date.parse(start_time));

/** The blocks of a series as the draft says, each on its own day and site. */
export const redrafted = (draft: BlockDraft, blocks: readonly Block[], sites: readonly Site[]): Drafted => {
  const add: Added[] = [];
  for (const block of blocks) {
    const zone = sites.find(({ id }) => id === block.site_id)?.timezone;
    if (zone === undefined) continue;
    const date = blocks.length === 1 ? draft.date : localDay(new Date(block.start_time), zone);
    const made = blocksOf({ ...draft, date, until: null, siteIds: [block.site_id] }, sites);
    if (made.fault !== null) return made;
    add.push(...made.add);
  }
  return { add, fault: null };
};
