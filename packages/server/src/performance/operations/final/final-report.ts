import { isRefusal, notFound, type Result } from "../../../platform/refusal.js";
import type { OwnedSite } from "../../../portfolio/operations/visible-sites.js";
import type { FinalVersion } from "../../domain/version.js";
import type { DispatchTable, TabledResult } from "../dispatch-table.js";
import { type DispatchReport, reportOf } from "../measure-dispatch.js";
import type { MeasurementPorts, PerformanceStore, SiteFilter } from "../measurement-ports.js";

/** A version of the final result, and the sites to return. */
export interface KeptVersion {
  readonly id: string;
  readonly filter: SiteFilter;
  readonly kept: FinalVersion;
  readonly versions: readonly FinalVersion[];
}

/** A version with the sites that were read of it. */
export const finalReport = async <Site extends DispatchReport["sites"][number]>(
  { reader }: Pick<MeasurementPorts, "reader">,
  { id, filter, kept, versions }: KeptVersion,
  sites: readonly Site[],
): Promise<Result<DispatchReport<Site>>> => {
  const dispatch = await reader.findDispatch(id, filter);
  if (dispatch === null) return notFound("dispatch");
  return reportOf(dispatch, sites, { asOfMs: kept.at.getTime(), version: kept.version, versions });
};

type FinalTablePorts = Pick<MeasurementPorts, "reader"> & {
  readonly store: Pick<PerformanceStore, "results" | "earlierLoads">;
};

/** The table of a stored result. */
export const finalTable = async (ports: FinalTablePorts, final: KeptVersion): Promise<Result<DispatchTable>> => {
  const { id, kept } = final;
  const report = await finalReport(ports, final, []);
  if (isRefusal(report)) return report;
  const { dispatch, asOfMs } = report;
  const sites = dispatch.sites.map((site) => ({ siteId: site.id, accountId: site.accountId }));
  const results = (wanted: readonly OwnedSite[]) => storedResults(ports, { id, version: kept.version }, wanted);
  return { dispatch, version: kept.version, asOfMs, sites, results };
};

/** Fewer than for a curve: a table also reads the loads of earlier versions. */
const TABLED_AT_ONCE = 50;

async function* storedResults(
  { store }: FinalTablePorts,
  { id, version }: { readonly id: string; readonly version: number },
  sites: readonly OwnedSite[],
): AsyncGenerator<TabledResult> {
  for (let from = 0; from < sites.length; from += TABLED_AT_ONCE) {
    const siteIds = sites.slice(from, from + TABLED_AT_ONCE).map(({ siteId }) => siteId);
    const results = new Map((await store.results(id, version, siteIds)).map((result) => [result.siteId, result]));
    const earlier = await store.earlierLoads(id, version, siteIds);
    for (const siteId of siteIds) {
      const result = results.get(siteId);
      if (result !== undefined) yield { result, earlier: earlier.get(siteId) ?? [] };
    }
  }
}
