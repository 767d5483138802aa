import { localTime } from "@curtail/measure";
import { DAY_MS, HOUR_MS } from "../../platform/period.js";
import { methodOf } from "../../portfolio/operations/baseline-method.js";
import { isProfiled } from "./load-profiles.js";
import type {
  DaySpan,
  ProfileDays,
  ProfiledProgram,
  ProfiledSite,
  ProfileSource,
  ProfileStore,
} from "./profile-ports.js";

/** Days before today that are kept ready: as far as the customary methods look back. */
export const PROFILED_DAYS = 45;
/** Older ones are deleted, long before their readings are archived. */
const KEPT_DAYS = 60;
/** Readings of a day arrive in time until then: whatever comes later leaves a note, which takes the profile away. */
const CLOSED_MS = 2 * HOUR_MS;
/** Longer than an upload takes that began before the first dispatch of its site. */
const DISPATCHED_MS = 5 * 60_000;
/** A meter that was silent for longer is not measured. */
const REPORTING_HOURS = 7 * 24;
/** Days of meters that are read at once: some milliseconds of work. */
const METER_DAYS_AT_ONCE = 48;

export interface ProfilingTerms {
  readonly store: ProfileStore;
  readonly now: () => Date;
}

export interface Profiled {
  readonly made: number;
  readonly isDone: boolean;
}

/** Makes load profiles of the days that are over, site by site, again and again. */
export class Profiling {
  private after = 0;
  private waiting: ProfileDays[] = [];
  /** How many of those that wait are made one by one, because one of them failed. */
  private alone = 0;

  constructor(private readonly terms: ProfilingTerms) {}

  /** Makes a few profiles. */
  async step(): Promise<Profiled> {
    if (this.waiting.length === 0) return { made: 0, isDone: await this.findMore() };
    const wanted = this.take();
    const made = await this.make(wanted);
    // Another process makes them.
    if (made === null) this.waiting = [];
    return { made: made ?? 0, isDone: made === null };
  }

  private take(): ProfileDays[] {
    const taken: ProfileDays[] = [];
    const most = this.alone > 0 ? 1 : METER_DAYS_AT_ONCE;
    this.alone = Math.max(0, this.alone - 1);
    for (let meterDays = 0; meterDays < most; ) {
      const next = this.waiting.shift();
      if (next === undefined) break;
      taken.push(next);
      meterDays += next.source.meters.length * next.days.length;
    }
    return taken;
  }

  /** A damaged day must keep no other site from its profiles. */
  private async make(wanted: readonly ProfileDays[]): Promise<number | null> {
    try {
      return await this.terms.store.make(wanted);
    } catch (error) {
      if (wanted.length === 1) throw error;
      this.waiting.unshift(...wanted);
      this.alone = wanted.length;
      return 0;
    }
  }

  /** Finds the days of further sites; true after the last of all. */
  private async findMore(): Promise<boolean> {
    const { store, now } = this.terms;
    const nowMs = now().getTime();
    const { sites, last } = await store.sites(this.after, new Date(nowMs - DISPATCHED_MS));
    this.after = last ?? 0;
    if (sites.length > 0) await this.findDays(sites, nowMs);
    return last === null;
  }

  private async findDays(sites: readonly ProfiledSite[], nowMs: number): Promise<void> {
    const { store } = this.terms;
    const numbers = sites.map(({ site }) => site);
    const today = Math.floor(nowMs / DAY_MS);
    await store.forget(numbers, today - KEPT_DAYS);
    const hour = Math.floor(nowMs / HOUR_MS);
    const reporting = await store.reporting(sites, { from: hour - REPORTING_HOURS, to: hour });
    // A local day may be that of UTC before or after.
    const missing = await store.missing(numbers, { from: today - PROFILED_DAYS - 2, to: today + 1 });
    this.waiting = sites
      .flatMap((site) => sourcesOf(site, reporting))
      .map((source) => ({ source, days: missing(source, closedDays(source, nowMs)) }))
      .flatMap(inPieces);
  }
}

/** The newest days first: they are in every look-back. */
const inPieces = ({ source, days }: ProfileDays): ProfileDays[] => {
  const atOnce = Math.max(1, Math.floor(METER_DAYS_AT_ONCE / Math.max(1, source.meters.length)));
  const pieces: ProfileDays[] = [];
  for (let end = days.length; end > 0; end -= atOnce)
    pieces.push({ source, days: days.slice(Math.max(0, end - atOnce), end) });
  return pieces;
};

const closedDays = ({ timezone }: ProfileSource, nowMs: number): DaySpan => {
  const to = localTime(timezone).dayOf((nowMs - CLOSED_MS) / 1000) - 1;
  return { from: to - PROFILED_DAYS + 1, to };
};

/** Of the meters that would be measured now, each way of cutting days once. */
const sourcesOf = ({ site, meters, programs }: ProfiledSite, reporting: ReadonlySet<number>): ProfileSource[] => {
  const counted = meters.map(({ meter }) => meter).filter((meter) => reporting.has(meter));
  if (counted.length === 0) return [];
  const sources = new Map<string, ProfileSource>();
  for (const program of programs) {
    const { timezone } = program;
    const intervalSeconds = secondsOf(program);
    if (intervalSeconds === null) continue;
    sources.set(`${timezone} ${intervalSeconds}`, { site, meters: counted, timezone, intervalSeconds });
  }
  return [...sources.values()];
};

/** null: baselines of the program need no profiles. */
const secondsOf = ({ baseline }: ProfiledProgram): number | null => {
  try {
    const method = methodOf(baseline);
    return isProfiled(method) ? method.interval_seconds : null;
  } catch {
    // A method of a newer version: whoever measures by it says so.
    return null;
  }
};
