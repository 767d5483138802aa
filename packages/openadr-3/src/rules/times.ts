/** The moment that stands for "now", or "right after the interval before" (User Guide, 7.3). */
export const NOW = "0001-01-01T00:00:00Z";

const SHORT_NOW = /^0001-01-01(T00:00:00)?$/;

/** A moment of the contract; null if there is no such day, or if the year is outside of 1 to 9999. */
export const parseTime = (text: string): Date | null => {
  if (SHORT_NOW.test(text)) return new Date(NOW);
  const at = new Date(text.toUpperCase());
  const day = Number(text.slice(8, 10));
  // Date takes 30 February for 2 March.
  const isReal =
    day <= new Date(Date.UTC(2000 + (Number(text.slice(0, 4)) % 400), Number(text.slice(5, 7)), 0)).getUTCDate();
  return isReal && at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999 ? at : null;
};

/** Whether it stands for "now" or "right after". */
export const isNow = (at: Date): boolean => at.getTime() === new Date(NOW).getTime();

/** Where a request has a moment that does not exist, for a message: `intervals[0].intervalPeriod.start`. */
export const impossibleTime = (body: unknown, path = ""): string | null => {
  if (Array.isArray(body)) return first(body.map((each, index) => () => impossibleTime(each, `${path}[${index}]`)));
  if (body === null || typeof body !== "object") return null;
  return first(
    Object.entries(body).map(([name, value]) => () => {
      const at = path === "" ? name : `${path}.${name}`;
      return name === "start" && typeof value === "string"
        ? parseTime(value) === null
          ? at
          : null
        : impossibleTime(value, at);
    }),
  );
};

const first = <T>(asked: ReadonlyArray<() => T | null>): T | null => {
  for (const ask of asked) {
    const found = ask();
    if (found !== null) return found;
  }
  return null;
};

/** A request whose moments are RFC 3339, as answers have to be. */
export const withFullTimes = <T>(body: T): T => {
  if (Array.isArray(body)) return body.map((each: unknown) => withFullTimes(each)) as T;
  if (body === null || typeof body !== "object") return body;
  const members = Object.entries(body).map(([name, value]: [string, unknown]) => [
    name,
    name === "start" && typeof value === "string" && SHORT_NOW.test(value) ? NOW : withFullTimes(value),
  ]);
  return Object.fromEntries(members) as T;
};
