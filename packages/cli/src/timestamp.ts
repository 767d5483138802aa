const RFC_3339 =
  /^(\d{4}-\d\d-(\d\d))T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Parses a timestamp as the service does: RFC 3339 with an offset, into Unix milliseconds (finer digits are cut). NaN
 * for anything else (G8).
 */
export const parseTimestamp = (text: string): number => {
  const found = RFC_3339.exec(text);
  if (found === null) return Number.NaN;
  const [, date = "", day, time = "", fraction = "", offset = ""] = found;
  // JavaScript takes 30 February for 2 March.
  if (new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day)) return Number.NaN;
  return Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}${offset.toUpperCase()}`);
};

/** Unix milliseconds as RFC 3339 in UTC; milliseconds appear only if not zero. */
export const formatTimestamp = (at: number): string => new Date(at).toISOString().replace(".000Z", "Z");
