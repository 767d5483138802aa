import type { operator } from "@curtail/contract";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { Meter } from "../domain/site.js";
import type { LastCharge, LastReading, LastSent } from "../operations/last-reading.js";

export const meterToWire = ({ id, name, assetType, kwhMeans }: Meter, newest: LastSent): operator.OperatorMeter => ({
  id,
  name,
  asset_type: assetType,
  kwh_means: kwhMeans,
  last_reading: lastReadingToWire(newest.readings.get(id)),
  last_charge: lastChargeToWire(newest.charges.get(id)),
});

export const lastReadingToWire = (last: LastReading | undefined): operator.OperatorMeter["last_reading"] =>
  last === undefined ? null : { timestamp: formatTimestamp(last.at), value: last.powerKw };

const lastChargeToWire = (last: LastCharge | undefined): operator.OperatorMeter["last_charge"] =>
  last === undefined ? null : { timestamp: formatTimestamp(last.at), value: last.chargeKwh };
