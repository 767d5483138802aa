import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { IS_MEASURED } from "../../portfolio/storage/meter-conditions.js";
import type { LoadReader } from "../operations/portfolio-load.js";
import { storedHours } from "./stored-hours.js";

type MeterRow = Row<"telemetry_hours", "site" | "meter">;

export const loadReader = (db: Queryable): LoadReader => ({
  async meters() {
    const { rows } = await db.query<MeterRow>({
      name: "enabled-meters",
      text: `select sites.key as site, meters.key as meter
             from meters join sites on sites.id = meters.site_id join accounts on accounts.id = account_id
             where not disabled and ${IS_MEASURED} order by 1, 2`,
    });
    return rows;
  },
  hours: (meters, hours) => storedHours(db, { meters, periods: [hours] }),
});
