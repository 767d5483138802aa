/** The duration that stands for "endless". */
export const ENDLESS = "P9999Y";

/** A moment in RFC 3339, in UTC with a `Z`; milliseconds only if there are any. */
export const formatMoment = (at: Date): string => at.toISOString().replace(".000Z", "Z");
