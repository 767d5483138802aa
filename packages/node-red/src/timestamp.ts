/**
 * A time as flows have it: a text is passed on as it is, for the service to judge; a `Date`, or milliseconds of Unix
 * time, become RFC 3339.
 *
 * @returns null if it is no time
 */
export const timestampOf = (value: unknown): string | null => {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  const at = value instanceof Date ? value : typeof value === "number" ? new Date(value) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at.toISOString();
};
