/** A moment in OpenADR 2.0a's form: UTC, ending in `Z`, whole seconds (finer digits are cut). */
export const formatDateTime = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d*)?(Z|[+-]\d{2}:\d{2})?$/;

/** Parses a moment of any precision; without an offset, as UTC. null for anything else. */
export const parseDateTime = (text: string): Date | null => {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const at = new Date(match[1] === undefined ? `${text}Z` : text);
  return Number.isNaN(at.getTime()) ? null : at;
};
