const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Turns local times of a zone into instants. */
export interface Zone {
  /** The instants at which clocks show a local time, given as if it were UTC: none, one or two. */
  instantsOf(localMs: number): readonly number[];
  /** When clocks skip this local time, and the first one that they skip then. */
  changeOver(localMs: number): { readonly atMs: number; readonly firstSkippedMs: number };
}

const fixed = (offsetMs: number): Zone => ({
  instantsOf: (localMs) => [localMs - offsetMs],
  changeOver: (localMs) => ({ atMs: localMs - offsetMs, firstSkippedMs: localMs }),
});

/** Milliseconds of an offset such as `+08:00`; null for anything else. */
export const offsetMsOf = (text: string): number | null => {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return null;
  const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === "-" ? -ms : ms;
};

/** A zone by its IANA name or its offset; null if there is none. */
export const zoneOf = (name: string): Zone | null => {
  const offsetMs = offsetMsOf(name);
  if (offsetMs !== null) return fixed(offsetMs);
  try {
    return ianaZone(new Intl.DateTimeFormat("en-US", { timeZone: name, ...fields }));
  } catch {
    return null;
  }
};

/** Whether two names or offsets mean one zone: UTC and Etc/UTC do. */
export const isSameZone = (a: string, b: string): boolean => canonical(a) === canonical(b);

const canonical = (name: string): string => {
  const offsetMs = offsetMsOf(name);
  if (offsetMs !== null) return offsetMs === 0 ? "UTC" : String(offsetMs);
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return name.toLowerCase();
  }
};

const fields = {
  era: "narrow",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
  hourCycle: "h23",
} as const;

const ianaZone = (format: Intl.DateTimeFormat): Zone => {
  const noons = new Map<number, number>();
  const offsetOfDay = (day: number): number => {
    const offset = noons.get(day) ?? offsetAt(format, day * DAY_MS);
    noons.set(day, offset);
    return offset;
  };
  const changes = new Map<number, ReturnType<Zone["changeOver"]>>();
  return {
    changeOver(localMs) {
      const day = Math.floor(localMs / DAY_MS);
      const [before, after] = [offsetOfDay(day - 1), offsetOfDay(day + 2)];
      const known = changes.get(day);
      if (known !== undefined) return known;
      let [low, high] = [localMs - after - DAY_MS, localMs - before + DAY_MS];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offsetAt(format, middle) === before) low = middle;
        else high = middle;
      }
      const change = { atMs: high, firstSkippedMs: high + before };
      changes.set(day, change);
      return change;
    },
    instantsOf(localMs) {
      const day = Math.floor(localMs / DAY_MS);
      // No zone is further than a day from UTC, and none changes twice within four days.
      const [before, after] = [offsetOfDay(day - 1), offsetOfDay(day + 2)];
      if (before === after) return [localMs - before];
      const offsets = before > after ? [before, after] : [after, before];
      return offsets.map((offset) => localMs - offset).filter((at) => at + offsetAt(format, at) === localMs);
    },
  };
};

const offsetAt = (format: Intl.DateTimeFormat, atMs: number): number => {
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(atMs / 1000) * 1000;
};
