import { DEFAULT_STATUS_LIMITS } from "@curtail/contract/constants";

/**
 * Delivered reduction divided by commitment, over all sites of a dispatch, measured or not, so that the ratio matches the
 * two figures next to it. null if nothing is measured or committed.
 */
export const deliveredShare = (deliveredKw: number | null, committedKw: number | null): number | null =>
  deliveredKw === null || committedKw === null || committedKw === 0 ? null : deliveredKw / committedKw;

/** Limits between the statuses of a dispatch. */
export type ShareLimits = Pick<typeof DEFAULT_STATUS_LIMITS, "amber_from" | "green_from">;

/** Rates the share by the limits of the dispatch; null: nothing is measured yet. */
export const shareTone = (share: number | null, limits: ShareLimits | null): "good" | "warn" | "bad" => {
  const { amber_from, green_from } = limits ?? DEFAULT_STATUS_LIMITS;
  const known = share ?? 0;
  if (known >= green_from) return "good";
  return known >= amber_from ? "warn" : "bad";
};
