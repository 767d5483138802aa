/**
 * What is delivered over what was committed, as every page shows it: of all sites of a dispatch, measured or not, so that the
 * share, the power beside it and the commitment beside that agree. null where nothing is measured or committed.
 */
export const deliveredShare = (deliveredKw: number | null, committedKw: number | null): number | null =>
  deliveredKw === null || committedKw === null || committedKw === 0 ? null : deliveredKw / committedKw;
