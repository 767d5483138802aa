import { programNames } from "./programs.js";
import type { SiteSpec } from "./site-spec.js";

/** Sites in the format of the operator's import, one row per meter, without programs. */
export const fleetTable = (fleet: readonly SiteSpec[]) => ({
  header: [
    "account",
    "site",
    "customer_location_id",
    "dispatch_group",
    "timezone",
    "meter",
    "asset_type",
    "latitude",
    "longitude",
  ],
  rows: fleet.flatMap((site) => site.meters.map((meter) => cellsOf(site, meter))),
});

/** The same as a file, with the first program of each site: a file has one per site. */
export const fleetCsv = (fleet: readonly SiteSpec[]): string => {
  const header = [...fleetTable([]).header, "program", "commitment_kw"];
  const lines = fleet.flatMap((site) => {
    const [program] = site.programs;
    const enrolled = program === undefined ? ["", ""] : [programNames[program], String(site.commitmentKw)];
    return site.meters.map((meter) => [...cellsOf(site, meter), ...enrolled]);
  });
  return [header, ...lines].map((cells) => cells.join(",")).join("\n");
};

const cellsOf = (site: SiteSpec, meter: SiteSpec["meters"][0]): string[] => [
  site.account,
  site.name,
  site.code,
  site.group,
  site.timezone,
  meter.name,
  assetTypeOf(meter.kind),
  ...(site.place ?? ["", ""]).map(String),
];

const assetTypeOf = (kind: SiteSpec["meters"][0]["kind"]): string => {
  if (kind === "battery") return "battery";
  return kind === "solar" ? "generator" : "load";
};
