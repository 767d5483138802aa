const DAY_MS = 86_400_000;

/** How long a browser is remembered after its last sign-in. */
export const DEVICE_DAYS = 365;
/** Limit per user; those unused for longest are forgotten first. */
export const MAX_DEVICES = 20;

/** A device counts as known if it was used since this moment. */
export const knownSince = (now: Date): Date => new Date(now.getTime() - DEVICE_DAYS * DAY_MS);
