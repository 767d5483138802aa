import type { MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { loggedRead, readLogged } from "./logged-read.js";

const REPORTING_METERS = loggedRead(
  "reporting-meters",
  2,
  ({ within }) => `
    select 0 as site, meter, 0 as place, null::text as version, null::text as content
    from unnest($1::int[], $2::int[]) as asked (site, meter)
    where exists (select 1 from telemetry_hours as stored
        where stored.site = asked.site and stored.meter = asked.meter${within("stored.site")})
      or exists (select 1 from telemetry_days as packed
        where packed.site = asked.site and packed.meter = asked.meter${within("packed.site")})`,
);

/** Numbers of those meters that ever had a reading. */
export const reportingMeters = async (db: Queryable, meters: readonly MeterKey[]): Promise<ReadonlySet<number>> => {
  const { records, log } = await readLogged(db, REPORTING_METERS, meters, (keys) => valuesOf(keys, "site", "meter"));
  const logged = log === null || log.isEmpty ? [] : meters.filter(({ meter }) => log.newest(meter) !== undefined);
  return new Set([...records, ...logged].map(({ meter }) => meter));
};
