/** `2026-11-20T14:05` on the clocks of a time zone, for a datetime-local field. */
export const toLocalInput = (at: Date, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
};

/** The moment at which the clocks of a zone show that; null for none, as in the hour that is left out in spring. */
export const fromLocalInput = (local: string, timeZone: string): Date | null => {
  const asUtc = new Date(`${local}:00Z`);
  if (Number.isNaN(asUtc.getTime())) return null;
  // The offset at the moment itself may differ from that at the first guess; the second guess is right if there is any.
  const first = new Date(asUtc.getTime() - offsetMs(asUtc, timeZone));
  const second = new Date(asUtc.getTime() - offsetMs(first, timeZone));
  return [first, second].find((guess) => toLocalInput(guess, timeZone) === local) ?? null;
};

/** When a day begins on a zone's clocks; `day` is `2026-11-20`. Where they are put forward at midnight, it begins at one. */
export const startOfDay = (day: string, timeZone: string): Date | null =>
  fromLocalInput(`${day}T00:00`, timeZone) ?? fromLocalInput(`${day}T01:00`, timeZone);

/** How far the zone's clocks are ahead of UTC. */
const offsetMs = (at: Date, timeZone: string): number =>
  new Date(`${toLocalInput(at, timeZone)}:00Z`).getTime() - Math.floor(at.getTime() / 60_000) * 60_000;
