/**
 * No statement returns more batches of the log than this many, nor further ones once they have so many readings: it would run
 * into its limit of time.
 */
export const MOST_BATCHES = 5000;
export const MOST_READINGS = 500_000;
