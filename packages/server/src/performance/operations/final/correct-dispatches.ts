import { grouped } from "../../../platform/grouped.js";
import { isRefusal, type Result } from "../../../platform/refusal.js";
import { correctedFromMs } from "../../domain/correction-due.js";
import type { FinalVersion } from "../../domain/version.js";
import type { CorrectionStore, SiteCorrection } from "../late-ports.js";
import type { LivePerformance } from "../live/live-performance.js";
import type { PerformanceStores } from "../performance-stores.js";
import { type FinishPorts, measureAnew } from "./finish-performance.js";

export interface CorrectionPorts extends FinishPorts {
  readonly corrections: CorrectionStore;
  readonly onError: (error: unknown) => void;
  /** Corrections that are not made by then are left to another process, or to the next start. */
  readonly stopping: AbortSignal;
}

/** Notes are kept this long, for other processes that follow the dispatch. */
const KEPT_MS = 3_600_000;
/** A correction that fails is tried again after this. */
const AGAIN_MS = 10_000;
/** A result that is stored later than this was measured with what had been noted. */
const MEASURED_WITHIN_MS = 60_000;
/** Sites measured together, and corrected in one transaction. */
const SITES_AT_ONCE = 100;
const MOST_SITES = 1000;

/** Corrects final results after late readings, changed days, rules and decisions; returns whether there may be more. */
export const correctDispatches = async (ports: CorrectionPorts, live: LivePerformance): Promise<boolean> => {
  const { corrections, clock } = ports;
  const found = await corrections.find(clock.now());
  const waiting = grouped(await corrections.due(clock.now()), ({ dispatchId }) => dispatchId);
  for (const [dispatchId, sites] of waiting) {
    if (ports.stopping.aborted) return false;
    const version = await correctOne(ports, dispatchId, sites);
    if (version !== null) live.finished(dispatchId, version);
  }
  await corrections.forget(new Date(clock.now().getTime() - KEPT_MS));
  return found;
};

/** One that fails holds up no other. */
const correctOne = async (ports: CorrectionPorts, dispatchId: string, sites: readonly SiteCorrection[]) => {
  try {
    const version = await correctPerformance(ports, dispatchId, sites);
    return isRefusal(version) ? null : version;
  } catch (error) {
    ports.onError(error);
    await ports.corrections.postpone(seqsOf(sites), after(ports, AGAIN_MS));
    return null;
  }
};

/** Measures sites again after late or corrected readings, once no more are to be expected; differences make a new version. */
export const correctPerformance = (
  ports: FinishPorts,
  dispatchId: string,
  waiting: readonly SiteCorrection[],
): Promise<Result<FinalVersion | null>> =>
  ports.transact(async (stores): Promise<Result<FinalVersion | null>> => {
    if (!(await stores.performance.takeTurn())) return null;
    const latest = (await stores.performance.versions(dispatchId)).at(-1);
    const until = waitsUntil(ports, waiting, latest);
    if (until !== null) {
      await stores.corrections.postpone(seqsOf(waiting), until);
      return null;
    }
    // Left for a process of the newer version: we must not replace results that have more than we can read.
    const newer = await stores.performance.newerSites(dispatchId);
    await stores.corrections.postpone(
      seqsOf(waiting.filter(({ siteId }) => newer.has(siteId))),
      after(ports, AGAIN_MS),
    );
    const seen = ofFirstSites(waiting.filter(({ siteId }) => !newer.has(siteId)));
    const version = isKept(latest) ? await correct(ports, stores, { dispatchId, seen, after: latest }) : null;
    await stores.corrections.done(seqsOf(seen));
    return version;
  });

/** null: it is corrected now. Without a result, one may be in the making that was measured before the note. */
const waitsUntil = (
  { clock }: Pick<FinishPorts, "clock">,
  waiting: readonly SiteCorrection[],
  latest: FinalVersion | undefined,
): Date | null => {
  const newestMs = Math.max(...waiting.map(({ notedAt }) => notedAt.getTime()));
  const firstMs = Math.min(...waiting.map(({ firstNotedAt }) => firstNotedAt.getTime()));
  const fromMs =
    latest === undefined
      ? newestMs + MEASURED_WITHIN_MS
      : correctedFromMs({ firstMs, newestMs, versionMs: latest.at.getTime() });
  return fromMs > clock.now().getTime() ? new Date(fromMs) : null;
};

const isKept = (latest: FinalVersion | undefined): latest is FinalVersion =>
  latest !== undefined && latest.reason !== "withdrawn";

const seqsOf = (corrections: readonly SiteCorrection[]): number[] => corrections.map(({ seq }) => seq);

const after = ({ clock }: Pick<FinishPorts, "clock">, ms: number): Date => new Date(clock.now().getTime() + ms);

/** As many sites as fit into a transaction. */
const ofFirstSites = (corrections: readonly SiteCorrection[]): readonly SiteCorrection[] => {
  const siteIds = siteIdsOf(corrections);
  if (siteIds.size <= MOST_SITES) return corrections;
  const first = new Set([...siteIds].slice(0, MOST_SITES));
  return corrections.filter(({ siteId }) => first.has(siteId));
};

const siteIdsOf = (corrections: readonly SiteCorrection[]): ReadonlySet<string> =>
  new Set(corrections.map(({ siteId }) => siteId));

/** Why a version is made: what was done by hand first, since it has an author. */
const whyOf = (corrections: readonly SiteCorrection[]): Pick<FinalVersion, "reason" | "actor" | "note"> => {
  const byHand = corrections.filter(({ actor }) => actor !== null);
  const newest = byHand.at(-1);
  if (newest === undefined)
    return {
      reason: corrections.every(({ reason }) => reason === "event_days") ? "event_days" : "corrected",
      actor: null,
      note: null,
    };
  const note = [...new Set(byHand.map((each) => each.note))].join("; ");
  return { reason: newest.reason, actor: newest.actor, note };
};

interface Correction {
  readonly dispatchId: string;
  readonly seen: readonly SiteCorrection[];
  readonly after: FinalVersion;
}

/** Results of all sites that differ are of one version. */
const correct = async (
  ports: FinishPorts,
  { performance }: PerformanceStores,
  { dispatchId, seen, after: latest }: Correction,
): Promise<FinalVersion | null> => {
  const at = ports.clock.now();
  const dispatch = await ports.reader.findDispatch(dispatchId, {});
  if (dispatch === null) return null;
  const { rulesVersion } = dispatch;
  const version: FinalVersion = { version: latest.version + 1, at, ...whyOf(seen), isLate: false, rulesVersion };
  const siteIds = [...siteIdsOf(seen)];
  let isAdded = false;
  for (let from = 0; from < siteIds.length; from += SITES_AT_ONCE) {
    const results = await measureAnew(ports, dispatch, new Set(siteIds.slice(from, from + SITES_AT_ONCE)));
    const differing = await performance.differing(dispatchId, results);
    if (differing.length === 0) continue;
    if (isAdded) await performance.addResults(dispatchId, version, differing);
    else await performance.add(dispatchId, version, differing);
    isAdded = true;
  }
  return isAdded ? version : null;
};
