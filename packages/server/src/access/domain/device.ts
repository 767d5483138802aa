const DAY_MS = 86_400_000;

/** How long a browser is remembered after it was last signed in with. */
export const DEVICE_DAYS = 365;
/** Of one user; the longest unused ones are forgotten. */
export const MAX_DEVICES = 20;

/** Since when a device must have been used to be known now. */
export const knownSince = (now: Date): Date => new Date(now.getTime() - DEVICE_DAYS * DAY_MS);
