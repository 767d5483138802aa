import { programNames } from "./programs.js";
import type { SiteSpec } from "./site-spec.js";

/** Sites in the format of the operator's import; a file has one program per site. */
export const fleetCsv = (fleet: readonly SiteSpec[]): string => {
  const header =
    "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type,program,commitment_kw".split(",");
  const lines = fleet.flatMap((site) => {
    const [program] = site.programs;
    const enrolled = program === undefined ? ["", ""] : [programNames[program], String(site.commitmentKw)];
    return site.meters.map((meter) => [
      site.account,
      site.name,
      site.code,
      site.group,
      site.timezone,
      meter.name,
      assetTypeOf(meter.kind),
      ...enrolled,
    ]);
  });
  return [header, ...lines].map((cells) => cells.join(",")).join("\n");
};

const assetTypeOf = (kind: SiteSpec["meters"][0]["kind"]): string => {
  if (kind === "battery") return "battery";
  return kind === "solar" ? "generator" : "load";
};
