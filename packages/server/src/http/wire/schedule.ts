import type { AvailabilityBlock } from "../../domain/schedule.js";
import { formatTimestamp } from "../../domain/timestamp.js";

export const blockToWire = (block: AvailabilityBlock) => ({
  id: block.id,
  site_id: block.siteId,
  available: false as const,
  start_time: formatTimestamp(block.start),
  end_time: formatTimestamp(block.end),
  created_at: formatTimestamp(block.createdAt),
});
