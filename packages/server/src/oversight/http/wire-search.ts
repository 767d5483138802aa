import type { operator } from "@curtail/contract";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Found } from "../domain/search.js";

/** What both sides see of an object that was found. */
export const foundToWire = ({ id, name, detail, start, timezone, siteId }: Found): Omit<operator.OwnFound, "kind"> => ({
  id,
  name,
  detail,
  start_time: start === null ? null : formatTimestamp(start),
  timezone,
  site_id: siteId,
});
