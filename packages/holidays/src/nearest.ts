import type { CalendarName } from "./calendars.js";

const NEAREST = 5;

/** The codes that are nearest to a code or name that does not exist, nearest first. */
export const nearestTo = (asked: string, names: readonly CalendarName[]): string[] => {
  const text = asked.slice(0, LONGEST).toLowerCase();
  const far = ({ code, name }: CalendarName): number => {
    const short = code.toLowerCase();
    const parts = name.toLowerCase().split(", ");
    return Math.min(distance(text, short), ...parts.slice(-1).map((part) => distance(text, part)));
  };
  return names
    .map((each) => ({ code: each.code, far: far(each) }))
    .toSorted((one, other) => one.far - other.far)
    .slice(0, NEAREST)
    .map(({ code }) => code);
};

const LONGEST = 60;

/** How many characters are to be added, removed or replaced. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (other[index - 1] === one[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};
