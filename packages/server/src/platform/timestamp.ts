const ZERO = 48;

/**
 * Parses an RFC 3339 timestamp with an offset, of any precision, into Unix milliseconds (finer digits are cut). NaN for
 * anything else: no offset, 30 February, 24:00, a leap second, words (G8).
 */
export const parseTimestamp = (text: string): number => {
  const length = text.length;
  if (length < 20 || !punctuated(text)) return Number.NaN;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return Number.NaN;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN;
  const offsetAt = skipFraction(text);
  const offsetMinutes = parseOffset(text, offsetAt);
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + (minute - offsetMinutes) * 60 + second;
  return seconds * 1000 + milliseconds(text, offsetAt);
};

/** Unix milliseconds as RFC 3339 in UTC; milliseconds appear only if not zero. */
export const formatTimestamp = (at: Date | number): string => {
  const iso = new Date(at).toISOString();
  return iso.endsWith(".000Z") ? `${iso.slice(0, 19)}Z` : iso;
};

/** Truncated to the second, as in every answer of the participants' interface (G58). */
export const formatSecond = (at: Date | number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

export const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);

const punctuated = (text: string): boolean =>
  text[4] === "-" && text[7] === "-" && (text[10] === "T" || text[10] === "t") && text[13] === ":" && text[16] === ":";

const digits = (text: string, at: number, count: number): number => {
  let value = 0;
  for (let index = at; index < at + count; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
};

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysIn = (year: number, month: number): number => {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
};

/** Days from 1970-01-01 in the Gregorian calendar, counting years from March so that the leap day comes last. */
const daysSinceEpoch = (year: number, month: number, day: number): number => {
  const marchYear = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    marchYear * 365 +
    Math.floor(marchYear / 4) -
    Math.floor(marchYear / 100) +
    Math.floor(marchYear / 400) +
    dayOfYear -
    719_468
  );
};

/** Index where the offset begins; a fraction without digits ends at its dot, which starts no offset. */
const skipFraction = (text: string): number => {
  if (text[19] !== ".") return 19;
  let index = 20;
  while (text.charCodeAt(index) >= ZERO && text.charCodeAt(index) <= ZERO + 9) index++;
  return index === 20 ? 19 : index;
};

const milliseconds = (text: string, end: number): number => {
  if (end === 19) return 0;
  const fraction = text.slice(20, Math.min(end, 23));
  return Number(fraction.padEnd(3, "0"));
};

const parseOffset = (text: string, at: number): number => {
  const sign = text[at];
  if (sign === "Z" || sign === "z") return text.length === at + 1 ? 0 : Number.NaN;
  if ((sign !== "+" && sign !== "-") || text.length !== at + 6 || text[at + 3] !== ":") return Number.NaN;
  const hours = digits(text, at + 1, 2);
  const minutes = digits(text, at + 4, 2);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (sign === "-" ? -1 : 1) * (hours * 60 + minutes);
};
