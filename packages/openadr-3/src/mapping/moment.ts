/** The start that stands for "now": the beginning of time, in the forms that the specification gives and with a `Z`. */
const NOW = /^0001-01-01(?:T00:00:00(?:\.0+)?(?:Z|[+-]00:00)?)?$/;

export const isNow = (text: string): boolean => NOW.test(text);

/** A moment in RFC 3339, in UTC with a `Z`; milliseconds only if there are any. */
export const formatMoment = (at: Date): string => at.toISOString().replace(".000Z", "Z");

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}:\d{2}):(\d{2})((?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))$/i;

/** Parses an RFC 3339 timestamp with an offset; null for anything else, and for days that do not exist. */
export const parseMoment = (text: string): Date | null => {
  const match = MOMENT.exec(text.toUpperCase());
  if (match === null) return null;
  const [, year = "", month = "", day = "", minute = "", second = "", rest = ""] = match;
  // JavaScript reads the 30th of February as the 1st or 2nd of March, and has no leap seconds.
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return null;
  const isLeap = second === "60";
  const ms = Date.parse(`${year}-${month}-${day}T${minute}:${isLeap ? "59" : second}${rest}`);
  return Number.isNaN(ms) ? null : new Date(isLeap ? ms + 1000 : ms);
};
