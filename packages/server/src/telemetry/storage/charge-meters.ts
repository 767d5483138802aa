import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { ChargeMeters } from "../operations/record-telemetry.js";

interface Known {
  readonly stamp: number;
  readonly isCharge: boolean;
}

// Some tens of bytes each; beyond this, the memory is emptied.
const MAX_KNOWN = 500_000;

/**
 * Which meters send their state of charge as kWh. Remembered while the account's stamp stays the same, so that uploads
 * need no statement for it; asked for callers without a stamp.
 */
export const chargeMeters = (db: Queryable): ChargeMeters => {
  const known = new Map<number, Known>();
  const remember = (meter: number, memory: Known): void => {
    if (known.size > MAX_KNOWN) known.clear();
    known.set(meter, memory);
  };
  return {
    async among({ kwhStamp: stamp }, meters) {
      if (stamp === undefined) return findCharging(db, meters);
      const remembered = meters.filter((meter) => known.get(meter)?.stamp === stamp);
      const charging = remembered.filter((meter) => known.get(meter)?.isCharge === true);
      if (remembered.length === meters.length) return new Set(charging);
      const unknown = meters.filter((meter) => known.get(meter)?.stamp !== stamp);
      const found = await findCharging(db, unknown);
      for (const meter of unknown) remember(meter, { stamp, isCharge: found.has(meter) });
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
