import { measuredEndMs, REBOUND_SECONDS } from "@curtail/measure";
import type { Ports } from "../../../platform/ports.js";
import type { Result } from "../../../platform/refusal.js";
import { type FinalVersion, OWN_VERSION } from "../../domain/version.js";
import type { DispatchTracker } from "../live/dispatch-tracker.js";
import { heldBytes } from "../live/measuring-memory.js";
import { measuredSites } from "../measured-sites.js";
import type { DispatchToMeasure, MeasurementPorts, SiteToMeasure } from "../measurement-ports.js";
import type { PerformanceStores } from "../performance-stores.js";
import { neededFromMs } from "../site-measurement.js";
import type { SiteResult } from "../site-summary.js";

export type FinishPorts = MeasurementPorts & Pick<Ports<PerformanceStores>, "transact">;

/** After the rebound hour: readings of that hour may still be corrected. */
const SETTLE_MS = 120_000;
/** How long to wait for missing readings after the rebound hour. */
const GRACE_MS = 2 * 3_600_000;

/** Stores the final result of a dispatch once its inputs are complete or overdue, and returns it. */
export const finishPerformance = async (
  { transact, clock }: Pick<FinishPorts, "transact" | "clock">,
  tracker: DispatchTracker,
): Promise<FinalVersion | null> => {
  const at = clock.now();
  const reason = whyFinal(tracker, at.getTime());
  if (reason === null) return null;
  const { id, rulesVersion } = tracker.dispatch;
  const version: FinalVersion = { version: 1, at, reason, rulesVersion, ...OWN_VERSION };
  const results = (await tracker.explainedSoon())?.map(asFinal);
  // A later look finds them.
  if (results === undefined) return null;
  const kept = await transact(async ({ performance }): Promise<Result<boolean>> => {
    if (!(await performance.takeTurn()) || (await performance.versions(id)).length > 0) return false;
    await performance.add(id, version, results);
    return true;
  });
  return kept === true ? version : null;
};

/** Missing readings are not awaited any more. */
const asFinal = ({ readingSeconds: _notAwaited, ...result }: SiteResult): SiteResult => ({
  ...result,
  baseline: { ...result.baseline, provisional: false },
});

const whyFinal = (tracker: DispatchTracker, nowMs: number): FinalReason | null => {
  const endMs = measuredEndMs(tracker.dispatch);
  if (!mayBeFinal(endMs, nowMs)) return null;
  // Even if measured late, as with a dispatch recorded after the fact: a complete one is not overdue.
  if (tracker.isWhole()) return "complete";
  return isOverdue(endMs, nowMs) ? "overdue" : null;
};

type FinalReason = "complete" | "overdue";

/** Whether a result could be complete by now. */
export const mayBeFinal = (endMs: number | null, nowMs: number): endMs is number =>
  endMs !== null && nowMs >= endMs + REBOUND_SECONDS * 1000 + SETTLE_MS;

const isOverdue = (endMs: number, nowMs: number): boolean => nowMs >= endMs + REBOUND_SECONDS * 1000 + GRACE_MS;

/** Results held in memory before they are written. */
const WRITTEN_AT_ONCE_BYTES = 16_000_000;

/** The same for a dispatch that does not fit into memory: measures it site by site, first to decide, then to store. */
export const finishInPieces = async (
  ports: FinishPorts,
  id: string,
  signal: AbortSignal,
): Promise<FinalVersion | null> => {
  const dispatch = await ports.reader.findDispatch(id, {});
  const reason = dispatch === null ? null : await judgeInPieces(ports, dispatch, signal);
  if (dispatch === null || reason === null) return null;
  const { rulesVersion } = dispatch;
  const version: FinalVersion = { version: 1, at: ports.clock.now(), reason, rulesVersion, ...OWN_VERSION };
  const kept = await ports.transact(async ({ performance }): Promise<Result<boolean>> => {
    if (!(await performance.takeTurn()) || (await performance.versions(id)).length > 0) return false;
    await performance.add(id, version, []);
    for await (const results of piecesOf(ports, dispatch, signal)) await performance.addResults(id, version, results);
    return true;
  });
  return kept === true ? version : null;
};

const judgeInPieces = async (
  ports: MeasurementPorts,
  dispatch: DispatchToMeasure,
  signal: AbortSignal,
): Promise<FinalReason | null> => {
  const [endMs, nowMs] = [measuredEndMs(dispatch), ports.clock.now().getTime()];
  if (!mayBeFinal(endMs, nowMs)) return null;
  for await (const measurement of measuredSites(ports, dispatch, dispatch.sites)) {
    signal.throwIfAborted();
    if (!measurement.isWhole()) return isOverdue(endMs, nowMs) ? "overdue" : null;
  }
  return "complete";
};

async function* piecesOf(
  ports: MeasurementPorts,
  dispatch: DispatchToMeasure,
  signal: AbortSignal,
): AsyncGenerator<readonly SiteResult[]> {
  const nowMs = ports.clock.now().getTime();
  let [results, bytes]: [SiteResult[], number] = [[], 0];
  for await (const measurement of measuredSites(ports, dispatch, dispatch.sites)) {
    signal.throwIfAborted();
    results.push(asFinal(measurement.explained(nowMs)));
    bytes += heldBytes(dispatch, [measurement.site], nowMs);
    if (bytes < WRITTEN_AT_ONCE_BYTES) continue;
    yield results;
    [results, bytes] = [[], 0];
  }
  yield results;
}

/** Sites of which some of the readings that their results need are archived: what is left would give others. */
export const archivedSites = async (
  { reader }: Pick<MeasurementPorts, "reader">,
  dispatch: DispatchToMeasure,
  sites: readonly SiteToMeasure[],
): Promise<ReadonlySet<string>> => {
  const until = await reader.archivedUntil(sites.map(({ id }) => id));
  const archived = sites.filter((site) => (until.get(site.id) ?? 0) > neededFromMs(dispatch, site));
  return new Set(archived.map(({ id }) => id));
};

/** A site whose readings are archived in part keeps its result. */
export const measureAnew = async (
  ports: MeasurementPorts,
  dispatch: DispatchToMeasure,
  siteIds: ReadonlySet<string>,
): Promise<readonly SiteResult[]> => {
  const sites = dispatch.sites.filter(({ id }) => siteIds.has(id));
  const nowMs = ports.clock.now().getTime();
  const results: SiteResult[] = [];
  for await (const measurement of measuredSites(ports, dispatch, sites))
    results.push(asFinal(measurement.explained(nowMs)));
  // Asked after everything was read: what was archived meanwhile counts, too.
  const archived = await archivedSites(ports, dispatch, sites);
  return results.filter(({ siteId }) => !archived.has(siteId));
};
