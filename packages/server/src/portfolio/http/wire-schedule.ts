import { formatSecond } from "../../platform/timestamp.js";
import type { AvailabilityBlock } from "../domain/schedule.js";

export const blockToWire = (block: AvailabilityBlock) => ({
  id: block.id,
  site_id: block.siteId,
  available: false as const,
  available_kw: block.availableKw,
  series_id: block.seriesId,
  start_time: formatSecond(block.start),
  end_time: formatSecond(block.end),
  created_at: formatSecond(block.createdAt),
});
