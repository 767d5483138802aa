import { measuredEndMs, REBOUND_SECONDS } from "@curtail/measure";
import type { Result } from "../domain/refusal.js";
import type { DispatchTracker } from "./dispatch-tracker.js";
import { eventsOf } from "./measure-dispatch.js";
import type { FinalVersion, LateNote, MeasurementPorts, SiteToMeasure } from "./measurement-ports.js";
import type { Ports, Stores } from "./ports.js";
import { SiteMeasurement } from "./site-measurement.js";
import type { SiteResult } from "./site-summary.js";

export type FinishPorts = MeasurementPorts & Pick<Ports, "transact">;

/** After the rebound hour: what comes within it may still be corrected. */
const SETTLE_MS = 120_000;
/** How long missing readings are waited for, after the rebound hour. */
const GRACE_MS = 2 * 3_600_000;
/** Sites that one transaction corrects. */
const SITES_AT_ONCE = 100;

/** Keeps the final result of a dispatch once its last input is in, or was waited for; answers it then. */
export const finishPerformance = async (
  { transact, clock }: Pick<FinishPorts, "transact" | "clock">,
  tracker: DispatchTracker,
): Promise<FinalVersion | null> => {
  const at = clock.now();
  const reason = whyFinal(tracker, at.getTime());
  if (reason === null) return null;
  const version: FinalVersion = { version: 1, at, reason };
  const { id } = tracker.dispatch;
  const kept = await transact(async ({ performance }): Promise<Result<boolean>> => {
    if (!(await performance.takeTurn()) || (await performance.versions(id)).length > 0) return false;
    await performance.add(id, version, tracker.results().map(asFinal));
    return true;
  });
  return kept === true ? version : null;
};

/** What has not come by now is not waited for any more. */
const asFinal = (result: SiteResult): SiteResult => ({
  ...result,
  baseline: { ...result.baseline, provisional: false },
});

const whyFinal = (tracker: DispatchTracker, nowMs: number): "complete" | "overdue" | null => {
  const endMs = measuredEndMs(tracker.dispatch);
  if (endMs === null) return null;
  const overMs = endMs + REBOUND_SECONDS * 1000;
  if (nowMs < overMs + SETTLE_MS) return null;
  // However late it is looked at, as a dispatch recorded after the fact is: what is whole is not overdue.
  if (tracker.isWhole()) return "complete";
  return nowMs >= overMs + GRACE_MS ? "overdue" : null;
};

/** Measures sites again whose readings came late or were corrected; what differs makes a new version. */
export const correctPerformance = (
  ports: FinishPorts,
  dispatchId: string,
  notes: readonly LateNote[],
): Promise<Result<FinalVersion | null>> =>
  ports.transact(async (stores): Promise<Result<FinalVersion | null>> => {
    if (!(await stores.performance.takeTurn())) return null;
    const latest = (await stores.performance.versions(dispatchId)).at(-1);
    const [siteIds, seen] = firstSites(notes);
    const version = latest === undefined ? null : await correct(ports, stores, { dispatchId, siteIds, after: latest });
    await stores.late.handled(seen, ports.clock.now());
    return version;
  });

/** So many sites as a transaction takes, and their notes. */
const firstSites = (notes: readonly LateNote[]): [ReadonlySet<string>, number[]] => {
  const siteIds = new Set([...new Set(notes.map(({ siteId }) => siteId))].slice(0, SITES_AT_ONCE));
  return [siteIds, notes.filter(({ siteId }) => siteIds.has(siteId)).map(({ seq }) => seq)];
};

interface Correction {
  readonly dispatchId: string;
  readonly siteIds: ReadonlySet<string>;
  readonly after: FinalVersion;
}

const correct = async (
  ports: FinishPorts,
  { performance }: Stores,
  { dispatchId, siteIds, after }: Correction,
): Promise<FinalVersion | null> => {
  const at = ports.clock.now();
  const results = await measureAnew(ports, dispatchId, (site) => siteIds.has(site.id));
  const differing = await performance.differing(dispatchId, results);
  if (differing.length === 0) return null;
  const version: FinalVersion = { version: after.version + 1, at, reason: "corrected" };
  await performance.add(dispatchId, version, differing);
  return version;
};

const measureAnew = async (
  ports: MeasurementPorts,
  dispatchId: string,
  isWanted: (site: SiteToMeasure) => boolean,
): Promise<readonly SiteResult[]> => {
  const dispatch = await ports.reader.findDispatch(dispatchId, {});
  if (dispatch === null) return [];
  const events = await eventsOf(ports, dispatch);
  const nowMs = ports.clock.now().getTime();
  const results = [];
  for (const site of dispatch.sites.filter(isWanted)) {
    const task = { dispatch, site, events: events.get(site.id) ?? [] };
    const measurement = await SiteMeasurement.read(ports.reader, task, nowMs);
    results.push(asFinal(measurement.result(nowMs)));
  }
  return results;
};
