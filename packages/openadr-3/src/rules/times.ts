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
export const impossibleTime = (body: unknown): string | null => {
  if (body === null || typeof body !== "object") return null;
  for (const name of Object.keys(body)) {
    const value = (body as Members)[name];
    if (isTime(name, value)) {
      if (parseTime(value) === null) return name;
      continue;
    }
    // A path is written only where one is found: a report may have thousands of members.
    const found = impossibleTime(value);
    if (found !== null) return `${Array.isArray(body) ? `[${name}]` : name}${found.startsWith("[") ? "" : "."}${found}`;
  }
  return null;
};

type Members = Readonly<Record<string, unknown>>;

const isTime = (name: string, value: unknown): value is string => name === "start" && typeof value === "string";

/** A request whose moments are RFC 3339, as answers have to be; the same where all are. */
export const withFullTimes = <T>(body: T): T => (hasShortTime(body) ? completed(body) : body);

const hasShortTime = (body: unknown): boolean => {
  if (body === null || typeof body !== "object") return false;
  for (const name of Object.keys(body)) {
    const value = (body as Members)[name];
    if (isTime(name, value) ? SHORT_NOW.test(value) : hasShortTime(value)) return true;
  }
  return false;
};

const completed = <T>(body: T): T => {
  if (Array.isArray(body)) return body.map((each: unknown) => completed(each)) as T;
  if (body === null || typeof body !== "object") return body;
  const members = Object.entries(body).map(([name, value]: [string, unknown]) => [
    name,
    isTime(name, value) && SHORT_NOW.test(value) ? NOW : completed(value),
  ]);
  return Object.fromEntries(members) as T;
};
