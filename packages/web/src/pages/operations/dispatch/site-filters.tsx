import { counted } from "../../../format/quantity.js";
import type { MeasuredSite } from "../../../rules/shortfall.js";
import { countStatuses } from "../../../rules/status.js";
import { Select } from "../../../ui/field.js";
import { TextFilter } from "../../../ui/filters.js";
import type { SiteList } from "./use-site-list.js";

const statuses = [
  ["red", "Well below commitment"],
  ["amber", "Below commitment"],
  ["grey", "Not known"],
  ["green", "On commitment"],
  ["blue", "Well above commitment"],
] as const;

/** Filters of the sites, which stay in the address. */
export const SiteFilters = ({
  sites,
  list: { status, search, judges, change },
}: {
  readonly sites: readonly MeasuredSite[];
  readonly list: SiteList;
}) => {
  const counts = countStatuses(sites);
  return (
    <div className="grid gap-x-3 px-4 pb-1 sm:grid-cols-2">
      {judges && (
        <Select
          label="Status"
          value={status}
          choices={[
            { value: "", label: `All (${counted(sites.length, "site")})` },
            ...statuses.map(([value, label]) => ({ value, label: `${label} (${counts[value]})` })),
          ]}
          onChange={(event) => change({ status: event.target.value })}
        />
      )}
      <TextFilter
        label="Search"
        placeholder="Site, account or group"
        value={search}
        onChange={(wanted) => change({ search: wanted })}
      />
    </div>
  );
};
