import { clock, dayAndClock, duration, isSameDay, OWN_ZONE } from "../format/time.js";

/** `Connection lost at 14:05`: what a page shows is from then or before. */
export const lostWords = (heardAt: Date | null, now: Date, zone = OWN_ZONE): string =>
  heardAt === null
    ? "Connection lost"
    : `Connection lost at ${isSameDay(heardAt, now, zone) ? clock(heardAt, zone) : dayAndClock(heardAt, zone, now)}`;

/** `, 3 min ago`; nothing if the service was never heard. */
export const lostAge = (heardAt: Date | null, now: Date): string =>
  heardAt === null ? "" : `, ${duration(now.getTime() - heardAt.getTime())} ago`;
