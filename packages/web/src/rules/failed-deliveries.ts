import type { operator } from "@curtail/contract";

/** Ids of webhook deliveries that failed for good and were not delivered afterwards, oldest first. */
export const failedDeliveries = (evidence: readonly operator.Evidence[]): readonly string[] => {
  const failed = new Set<string>();
  for (const { channel, what, detail } of evidence) {
    if (channel !== "webhook" || detail.delivery_id === undefined) continue;
    if (what === "failed" && detail.reason === "attempts_failed") failed.add(detail.delivery_id);
    if (what === "delivered") failed.delete(detail.delivery_id);
  }
  return [...failed];
};
