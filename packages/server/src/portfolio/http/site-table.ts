import type { TableColumns, TableRowOf } from "../../platform/files/table-file.js";
import type { LastReadingReader } from "../operations/last-reading.js";
import type { SiteOfAccount } from "../operations/portfolio-stores.js";

/** Columns of the file of sites. */
export const SITE_COLUMNS = {
  id: "word",
  name: "name",
  account_id: "word",
  account_name: "name",
  customer_location_id: "name",
  dispatch_group: "name",
  timezone: "word",
  display_enabled_at: "time?",
  created_at: "time",
  meters: "integer",
  last_reading_at: "time?",
  simulated: "word",
  latitude: "number?",
  longitude: "number?",
} as const satisfies TableColumns;

const SITES_AT_ONCE = 200;

/** Rows with the newest readings, which are read for many sites at once. */
export async function* siteRows(
  ports: LastReadingReader,
  sites: AsyncIterable<SiteOfAccount>,
): AsyncGenerator<TableRowOf<typeof SITE_COLUMNS>> {
  let some: SiteOfAccount[] = [];
  for await (const each of sites) {
    some.push(each);
    if (some.length < SITES_AT_ONCE) continue;
    yield* await rowsOf(ports, some);
    some = [];
  }
  yield* await rowsOf(ports, some);
}

const rowsOf = async (ports: LastReadingReader, sites: readonly SiteOfAccount[]) => {
  const last = await ports.lastReadings(sites.flatMap(({ site }) => site.meters.map(({ id }) => id)));
  return sites.map(({ site, accountName }) => {
    const readings = site.meters.flatMap(({ id }) => last.get(id)?.at.getTime() ?? []);
    return {
      id: site.id,
      name: site.name,
      account_id: site.accountId,
      account_name: accountName,
      customer_location_id: site.customerLocationId,
      dispatch_group: site.dispatchGroup,
      timezone: site.timezone,
      display_enabled_at: site.displayedSince?.getTime() ?? null,
      created_at: site.createdAt.getTime(),
      meters: site.meters.length,
      last_reading_at: readings.length === 0 ? null : Math.max(...readings),
      simulated: String(site.isSimulated),
      latitude: site.latitude,
      longitude: site.longitude,
    };
  });
};
