/** The earliest of moments that come or, as null, do not; null: none comes. */
export const earliest = (moments: ReadonlyArray<Date | null>): Date | null =>
  moments.reduce((least, at) => (least === null || (at !== null && at < least) ? at : least), null);
