import { localDay } from "./local-time.js";

const LONGEST = 60;

/** `harbor-cold-storage-2026-07-14`, with the local days of a period; the last day is that of its last moment. */
export const fileName = (
  name: string,
  { start, end }: { readonly start: Date; readonly end: Date },
  timeZone: string,
): string => {
  const last = new Date(Math.max(start.getTime(), end.getTime() - 1));
  const days = [...new Set([localDay(start, timeZone), localDay(last, timeZone)])];
  return [words(name), days.join("-to-")].filter((part) => part !== "").join("-");
};

/** Letters and digits of any script, in small letters. */
const words = (name: string): string =>
  (
    name
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
    .join("-")
    .slice(0, LONGEST);
