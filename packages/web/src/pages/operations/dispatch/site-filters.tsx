import { counted } from "../../../format/quantity.js";
import type { Site, Sorting } from "../../../rules/shortfall.js";
import { countStatuses } from "../../../rules/status.js";
import { Field, Select } from "../../../ui/field.js";

export interface SiteFilter {
  /** Colour of the status; "" for all. */
  readonly status: string;
  readonly search: string;
}

const statuses = [
  ["red", "Well below commitment"],
  ["amber", "Below commitment"],
  ["grey", "Not known"],
  ["green", "On commitment"],
  ["blue", "Well above commitment"],
] as const;

/** Filters and order of the sites. */
export const SiteFilters = ({
  sites,
  filter,
  sorting,
  isJudged,
  onFilter,
  onSort,
}: {
  readonly sites: readonly Site[];
  readonly filter: SiteFilter;
  readonly sorting: Sorting;
  /** false: only filter by name. */
  readonly isJudged: boolean;
  readonly onFilter: (filter: SiteFilter) => void;
  readonly onSort: (sorting: Sorting) => void;
}) => {
  const counts = countStatuses(sites);
  return (
    <div className="grid gap-x-3 px-4 pb-1 sm:grid-cols-3">
      {isJudged && (
        <Select
          label="Status"
          value={filter.status}
          choices={[
            { value: "", label: `All (${counted(sites.length, "site")})` },
            ...statuses.map(([value, label]) => ({ value, label: `${label} (${counts[value]})` })),
          ]}
          onChange={(event) => onFilter({ ...filter, status: event.target.value })}
        />
      )}
      <Field
        label="Search"
        type="search"
        placeholder="Site, account or group"
        value={filter.search}
        onChange={(event) => onFilter({ ...filter, search: event.target.value })}
      />
      {isJudged && (
        <Select
          label="Sort by"
          value={sorting}
          choices={[
            { value: "shortfall", label: "Shortfall" },
            { value: "status", label: "Status" },
            { value: "name", label: "Name" },
          ]}
          onChange={(event) => onSort(event.target.value as Sorting)}
        />
      )}
    </div>
  );
};
