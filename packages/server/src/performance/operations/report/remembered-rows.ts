import type { LoadProfile, MeterKey } from "@curtail/measure";
import { once } from "../../../platform/once.js";
import type { Hours } from "../../../telemetry/domain/hours.js";
import type { ReadingRows, ReadRow } from "../measurement-ports.js";
import type { LoadProfiles, ProfileDays } from "../profile-ports.js";

/** Hour rows to remember: some sixty megabytes. */
const MOST_ROWS = 60_000;

/** Reads each hour of a site's meters once, for several baselines that look back on the same days. */
export const rememberedRows = (reader: ReadingRows, all: readonly MeterKey[]): ReadingRows => {
  const known = new Map<number, ReadRow[]>();
  const firstHours = once(() => reader.firstHours(all));
  const read = async (hours: ReadonlySet<number>): Promise<void> => {
    if ((known.size + hours.size) * all.length > MOST_ROWS) known.clear();
    const missing = [...hours].filter((hour) => !known.has(hour)).toSorted((a, b) => a - b);
    if (missing.length === 0) return;
    for (const hour of missing) known.set(hour, []);
    for (const row of await reader.rows({ meters: all, periods: periodsOf(missing) })) known.get(row.hour)?.push(row);
  };
  return {
    reporting: (meters, hours) => reader.reporting(meters, hours),
    async rows(...asked) {
      await read(new Set(asked.flatMap(({ periods }) => periods.flatMap(hoursIn))));
      return asked.flatMap(({ meters, periods }) => {
        const wanted = new Set(meters.map(({ meter }) => meter));
        const hours = [...new Set(periods.flatMap(hoursIn))];
        return hours.flatMap((hour) => known.get(hour) ?? []).filter(({ meter }) => wanted.has(meter));
      });
    },
    firstHours,
    profiles: rememberedProfiles(reader),
  };
};

/** Asks for the profile of each day once, whether there is one or not. */
const rememberedProfiles = (reader: ReadingRows): ReadingRows["profiles"] => {
  const known = new Map<string, Map<number, LoadProfile | null>>();
  const profilesOf = async ({ source, days }: ProfileDays): Promise<LoadProfiles> => {
    const key = JSON.stringify(source);
    const ofSource = known.get(key) ?? new Map<number, LoadProfile | null>();
    known.set(key, ofSource);
    const missing = days.filter((day) => !ofSource.has(day));
    const [found] = missing.length === 0 ? [] : await reader.profiles({ source, days: missing });
    for (const day of missing) ofSource.set(day, found?.get(day) ?? null);
    return new Map(days.flatMap((day) => entryOf(day, ofSource.get(day) ?? null)));
  };
  return (...asked) => Promise.all(asked.map(profilesOf));
};

const entryOf = (day: number, profile: LoadProfile | null): Array<readonly [number, LoadProfile]> =>
  profile === null ? [] : [[day, profile]];

const hoursIn = ({ from, to }: Hours): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/** Hours in their order, as few periods. */
const periodsOf = (hours: readonly number[]): Hours[] => {
  const periods: Hours[] = [];
  for (const hour of hours) {
    const last = periods.at(-1);
    if (last?.to === hour - 1) periods[periods.length - 1] = { from: last.from, to: hour };
    else periods.push({ from: hour, to: hour });
  }
  return periods;
};
