const formats = new Map<string, Intl.DateTimeFormat>();

/** One for each zone: making one takes longer than using it a hundred times. */
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  formats.set(timeZone, format);
  return format;
};

/** `2026-11-20T14:05` on the clocks of a time zone, for a datetime-local field. */
export const toLocalInput = (at: Date, timeZone: string): string => {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
};

/** `2026-11-20` on the clocks of a time zone. */
export const localDay = (at: Date, timeZone: string): string => toLocalInput(at, timeZone).slice(0, 10);

/**
 * The moment at which the clocks of a zone show that; null for none, as in the hour that is left out in spring. Of the two
 * in the hour that comes twice in autumn, the first.
 */
export const fromLocalInput = (local: string, timeZone: string): Date | null => momentsOf(local, timeZone)[0] ?? null;

/** Whether the clocks of a zone show that twice. */
export const isTwice = (local: string, timeZone: string): boolean => momentsOf(local, timeZone).length > 1;

const DAY_MS = 86_400_000;

/** The moments at which the clocks of a zone show that, none to two, in order. */
const momentsOf = (local: string, timeZone: string): Date[] => {
  const asUtcMs = Date.parse(`${local}:00Z`);
  if (Number.isNaN(asUtcMs)) return [];
  // Before and after a change of the clocks: no offset is a day long, and no two changes a day apart.
  const offsets = [asUtcMs - DAY_MS, asUtcMs + DAY_MS].map((ms) => offsetMs(new Date(ms), timeZone));
  return [...new Set(offsets)]
    .map((offset) => new Date(asUtcMs - offset))
    .filter((moment) => toLocalInput(moment, timeZone) === local)
    .toSorted((a, b) => a.getTime() - b.getTime());
};

/** When a day begins on a zone's clocks; `day` is `2026-11-20`. Where they are put forward at midnight, it begins at one. */
export const startOfDay = (day: string, timeZone: string): Date | null =>
  fromLocalInput(`${day}T00:00`, timeZone) ?? fromLocalInput(`${day}T01:00`, timeZone);

/** The day after, `2026-11-21`; what is no day stays as it is. */
export const nextDay = (day: string): string => {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS);
  return Number.isNaN(next.getTime()) ? day : next.toISOString().slice(0, 10);
};

/** How far the zone's clocks are ahead of UTC. */
const offsetMs = (at: Date, timeZone: string): number =>
  new Date(`${toLocalInput(at, timeZone)}:00Z`).getTime() - Math.floor(at.getTime() / 60_000) * 60_000;
