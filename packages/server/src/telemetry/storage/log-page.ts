/**
 * No statement returns more batches of the log than this many, nor further ones once their readings are so many bytes of
 * `meters`, at four for each: it would run into its limit of time.
 */
export const MOST_BATCHES = 5000;
export const MOST_BYTES = 2_000_000;
