import { DEFAULT_STATUS_LIMITS } from "@curtail/contract/constants";

/**
 * What is delivered over what was committed, as every page shows it: of all sites of a dispatch, measured or not, so that the
 * share, the power beside it and the commitment beside that agree. null where nothing is measured or committed.
 */
export const deliveredShare = (deliveredKw: number | null, committedKw: number | null): number | null =>
  deliveredKw === null || committedKw === null || committedKw === 0 ? null : deliveredKw / committedKw;

/** How good that share is, by the limits that hold where a program has none of its own. */
export const shareTone = (share: number | null): "good" | "warn" | "bad" => {
  const known = share ?? 0;
  if (known >= DEFAULT_STATUS_LIMITS.green_from) return "good";
  return known >= DEFAULT_STATUS_LIMITS.amber_from ? "warn" : "bad";
};
