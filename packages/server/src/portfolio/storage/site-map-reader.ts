import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readNumber } from "../../platform/database/read.js";
import type { MappedSite, SiteMapPorts } from "../operations/site-map.js";

const mappedRow = selection("sites", ["id", "account_id", "name", "is_simulated"]);
type MappedRow = RowOf<typeof mappedRow> & {
  readonly latitude: number;
  readonly longitude: number;
  readonly commitment_kw: number | null;
};

const mappedFrom = (row: MappedRow): MappedSite => ({
  ...mappedRow.camel(row),
  latitude: row.latitude,
  longitude: row.longitude,
  commitmentKw: row.commitment_kw,
});

export const siteMapReader = (db: Queryable): SiteMapPorts["siteMap"] => ({
  read: async () => ({
    sites: await readAll(db, mappedFrom, {
      name: "site-map",
      text: `select ${mappedRow.columns}, latitude, longitude, commitment_kw
        from sites left join (
          select site_id, max(commitment_kw) as commitment_kw from enrolments group by site_id
        ) as enrolled on site_id = sites.id
        where latitude is not null order by seq`,
    }),
    withoutCoordinates: await readNumber(db, "sites", {
      name: "site-map-without",
      text: "select count(*)::int as sites from sites where latitude is null",
    }),
  }),
});
