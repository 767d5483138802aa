import type { operator } from "@curtail/contract";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Meter } from "../domain/site.js";
import type { LastReading } from "../operations/last-reading.js";

export const meterToWire = ({ id, name, assetType }: Meter, last: LastReading | undefined): operator.OperatorMeter => ({
  id,
  name,
  asset_type: assetType,
  last_reading: lastReadingToWire(last),
});

export const lastReadingToWire = (last: LastReading | undefined): operator.OperatorMeter["last_reading"] =>
  last === undefined ? null : { timestamp: formatTimestamp(last.at), value: last.powerKw };
