import type { RulesVersion } from "../../portfolio/domain/rules.js";
import { measureAnew } from "./finish-performance.js";
import type { DispatchToMeasure, MeasurementPorts } from "./measurement-ports.js";
import type { SiteResult } from "./site-summary.js";

/** Final results of the sites of a dispatch by rules that do not hold for it, by site id; nothing is stored. */
export const measureByRules = async (
  ports: MeasurementPorts,
  dispatch: DispatchToMeasure,
  rulesVersion: RulesVersion,
): Promise<ReadonlyMap<string, SiteResult>> => {
  const siteIds = new Set(dispatch.sites.map(({ id }) => id));
  const results = await measureAnew(ports, { ...dispatch, rulesVersion }, siteIds);
  return new Map(results.map((result) => [result.siteId, result]));
};
