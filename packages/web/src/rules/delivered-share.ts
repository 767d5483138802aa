import { DEFAULT_STATUS_LIMITS } from "@curtail/contract/constants";

/**
 * Delivered reduction divided by commitment, over all sites of a dispatch, measured or not, so that the ratio matches the
 * two figures beside it. null if nothing is measured or committed.
 */
export const deliveredShare = (deliveredKw: number | null, committedKw: number | null): number | null =>
  deliveredKw === null || committedKw === null || committedKw === 0 ? null : deliveredKw / committedKw;

/** Rates the share by the default limits. */
export const shareTone = (share: number | null): "good" | "warn" | "bad" => {
  const known = share ?? 0;
  if (known >= DEFAULT_STATUS_LIMITS.green_from) return "good";
  return known >= DEFAULT_STATUS_LIMITS.amber_from ? "warn" : "bad";
};
