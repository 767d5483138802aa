import { notFound, type Result } from "../../../platform/refusal.js";
import { type Visible, type VisibleSites, visiblePart } from "../../../portfolio/operations/visible-sites.js";
import type { FinalVersion } from "../../domain/version.js";
import { type DispatchReport, reportOf } from "../measure-dispatch.js";
import type { MeasurementPorts, PerformanceStore, SiteFilter } from "../measurement-ports.js";
import { type InputDifference, inputDifference } from "./input-difference.js";

/** Two versions to compare; by default the newest and the one before it. */
export interface ComparedVersions {
  readonly from: number | null;
  readonly to: number | null;
}

/** Two versions of a result. */
export interface ResultDifference {
  readonly from: FinalVersion;
  readonly to: FinalVersion;
  readonly before: DispatchReport;
  readonly after: DispatchReport;
  /** By site id, where the inputs of both are known. */
  readonly inputs: ReadonlyMap<string, InputDifference>;
}

interface DifferencePorts extends Pick<MeasurementPorts, "reader"> {
  readonly store: Pick<PerformanceStore, "versions" | "summaries" | "results" | "changedSites">;
}

export const resultDifference = async (
  ports: DifferencePorts,
  { id, filter }: { readonly id: string; readonly filter: SiteFilter },
  compared: ComparedVersions,
): Promise<Result<ResultDifference>> => {
  const versions = await ports.store.versions(id);
  const found = chosenVersions(versions, compared);
  if (found === null) return notFound("version");
  const [from, to] = found;
  const dispatch = await ports.reader.findDispatch(id, filter);
  if (dispatch === null) return notFound("dispatch");
  const reportOn = async ({ version, at }: FinalVersion): Promise<DispatchReport> =>
    reportOf(dispatch, await ports.store.summaries(id, version, filter), { asOfMs: at.getTime(), version, versions });
  const [before, after] = [await reportOn(from), await reportOn(to)];
  return { from, to, before, after, inputs: await inputsBetween(ports.store, { before, after }) };
};

const chosenVersions = (
  versions: readonly FinalVersion[],
  { from, to }: ComparedVersions,
): readonly [FinalVersion, FinalVersion] | null => {
  const find = (wanted: number) => versions.find(({ version }) => version === wanted);
  const last = to === null ? versions.at(-1) : find(to);
  const first = last && find(from ?? last.version - 1);
  return first === undefined || last === undefined ? null : [first, last];
};

/** A result is some ten kilobytes. */
const RESULTS_AT_ONCE = 200;

const inputsBetween = async (
  store: Pick<PerformanceStore, "changedSites" | "results">,
  { before, after }: { readonly before: DispatchReport; readonly after: DispatchReport },
): Promise<ReadonlyMap<string, InputDifference>> => {
  const { id } = before.dispatch;
  const [first, last] = [before.version ?? 0, after.version ?? 0];
  const changed = await store.changedSites(id, Math.min(first, last), Math.max(first, last));
  const shown = new Set(before.sites.map(({ siteId }) => siteId));
  const siteIds = after.sites.map(({ siteId }) => siteId).filter((each) => shown.has(each) && changed.has(each));
  const inputs = new Map<string, InputDifference>();
  for (let at = 0; at < siteIds.length; at += RESULTS_AT_ONCE) {
    const some = siteIds.slice(at, at + RESULTS_AT_ONCE);
    const was = new Map((await store.results(id, first, some)).map((result) => [result.siteId, result]));
    for (const is of await store.results(id, last, some)) {
      const earlier = was.get(is.siteId);
      if (earlier !== undefined) inputs.set(is.siteId, inputDifference(earlier, is));
    }
  }
  return inputs;
};

/** The part of the visible sites, with their own totals. */
export const visibleDifference = (difference: ResultDifference, sites: VisibleSites): Visible<ResultDifference> => {
  const { before, after } = difference;
  const of = before.sites.length > after.sites.length ? before.sites : after.sites;
  const keep = (isSeen: readonly boolean[]): ResultDifference => {
    const seen = new Set(of.filter((_site, index) => isSeen[index]).map(({ siteId }) => siteId));
    const part = (report: DispatchReport) =>
      reportOf(
        report.dispatch,
        report.sites.filter(({ siteId }) => seen.has(siteId)),
        report,
      );
    return { ...difference, before: part(before), after: part(after) };
  };
  return visiblePart({ data: difference, of, keep }, sites);
};
