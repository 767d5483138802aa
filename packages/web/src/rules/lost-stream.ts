import { say } from "@curtail/words/page";
import { clock, clockWithSeconds, dayAndClock, elapsed, isSameDay, OWN_ZONE } from "../format/time.js";

const STALE_MS = 30_000;
const OLD_MS = 2 * 60_000;

/** How far numbers can be trusted: `stale` ones are muted, with old ones somebody should phone. */
export type Staleness = "recent" | "stale" | "old";

export const stalenessOf = (heardAt: Date | null, now: Date): Staleness => {
  const ageMs = heardAt === null ? 0 : now.getTime() - heardAt.getTime();
  return ageMs > OLD_MS ? "old" : ageMs > STALE_MS ? "stale" : "recent";
};

/** `No update since 14:05`: what a page shows is from then or before. */
export const lostWords = (heardAt: Date | null, now: Date, zone = OWN_ZONE): string =>
  heardAt === null
    ? say("Not connected")
    : say("No update since {time}", {
        time: isSameDay(heardAt, now, zone) ? clock(heardAt, zone) : dayAndClock(heardAt, zone, now),
      });

/** `No update for 0:42`, which changes every second. */
export const lostAge = (heardAt: Date | null, now: Date): string =>
  heardAt === null
    ? say("Not connected")
    : say("No update for {time}", { time: elapsed(now.getTime() - heardAt.getTime()) });

/** `as of 4:59:18 pm`, of numbers that are no longer updated. */
export const asOfWords = (heardAt: Date, now: Date, zone: string): string =>
  say("as of {time}", {
    time: isSameDay(heardAt, now, zone) ? clockWithSeconds(heardAt, zone) : dayAndClock(heardAt, zone, now),
  });
