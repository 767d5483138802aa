import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { ChargeMeters } from "../operations/record-telemetry.js";
import { NumbersByKey } from "./numbers-by-key.js";

/** A stamp, and whether the meter sends its state of charge, as one number. */
const noted = (stamp: number, isCharge: boolean): number => 2 * (stamp + 1) + (isCharge ? 1 : 0);

/**
 * Which meters send their state of charge as kWh. Remembered while the account's stamp stays the same, so that uploads
 * need no statement for it; asked for callers without a stamp.
 */
export const chargeMeters = (db: Queryable): ChargeMeters => {
  const known = new NumbersByKey();
  return {
    async among({ kwhStamp: stamp }, meters) {
      if (stamp === undefined) return findCharging(db, meters);
      const [charge, other] = [noted(stamp, true), noted(stamp, false)];
      const charging = meters.filter((meter) => known.get(meter) === charge);
      const unknown = meters.filter((meter) => known.get(meter) !== charge && known.get(meter) !== other);
      if (unknown.length === 0) return new Set(charging);
      const found = await findCharging(db, unknown);
      for (const meter of unknown) known.set(meter, found.has(meter) ? charge : other);
      return new Set([...charging, ...found]);
    },
  };
};

const findCharging = async (db: Queryable, meters: readonly number[]): Promise<ReadonlySet<number>> => {
  const { rows } = await db.query<Row<"meters", "key">>({
    name: "charge-meters",
    text: "select key from meters where key = any($1) and kwh_means = 'charge' and asset_type = 'battery'",
    values: [meters],
  });
  return new Set(rows.map(({ key }) => key));
};
