import type { Actor } from "../../../access/domain/account.js";
import type { AccessStores } from "../../../access/operations/access-stores.js";
import type { DispatchStores } from "../../../dispatch/operations/dispatch-stores.js";
import type { Ports } from "../../../platform/ports.js";
import { invalid, isRefusal, notFound, type Refusal, type Result } from "../../../platform/refusal.js";
import type { ResultQuality, SiteDecision } from "../../domain/result-quality.js";
import type { FinalVersion } from "../../domain/version.js";
import type { PerformanceStores } from "../performance-stores.js";
import type { SiteResult } from "../site-summary.js";

export type DecidingStores = PerformanceStores & Pick<DispatchStores, "dispatches"> & Pick<AccessStores, "audit">;

export interface DecisionToMake {
  readonly dispatchId: string;
  readonly siteId: string;
  /** null: the rules hold again. */
  readonly counts: SiteDecision["counts"] | null;
  readonly reason: string;
}

/** Decides how a site counts in a dispatch whatever its readings say, as a version with who and why (G64). */
export const decideSite = ({ transact, clock }: Ports<DecidingStores>, actor: Actor, decision: DecisionToMake) =>
  transact(async (stores): Promise<Result<readonly FinalVersion[]>> => {
    const { dispatchId, siteId, counts, reason } = decision;
    // Corrections wait, and so do changes of the dispatch, voiding it among them.
    await stores.performance.awaitTurn();
    const dispatch = await stores.dispatches.lock(dispatchId);
    if (dispatch === null) return notFound("dispatch");
    if (reason.trim() === "") return invalid("reason is blank; say why you decide so");
    const versions = await stores.performance.versions(dispatchId);
    const found = await decidable(stores, versions.at(-1), decision);
    if (isRefusal(found)) return found;
    const { newest, result, quality } = found;
    const { decision: before } = quality;
    if (before?.counts === counts && before.reason === reason) return versions;
    if (before === null && counts === null) return versions;
    const at = clock.now();
    const note = noteOn(result, counts, reason);
    const decided = counts === null ? null : { counts, reason, actor, atMs: at.getTime() };
    const kept = { version: newest.version + 1, isLate: false, rulesVersion: newest.rulesVersion };
    await stores.decisions.add({ ...decision, actor, at });
    await stores.performance.add(dispatchId, { ...kept, at, reason: "decided", actor, note }, [
      { ...result, quality: { ...quality, decision: decided } },
    ]);
    await stores.late.siteDecided({ dispatchId, siteId, actor, note }, at);
    const { start, end, authorized, modificationNumber } = dispatch;
    const after = { start, end, authorized, modificationNumber, decidedSite: siteId, counts, note };
    const subject = { id: dispatchId, accountId: result.accountId };
    await stores.audit.append({ actor, at }, "dispatch.decide_site", subject, { after });
    return stores.performance.versions(dispatchId);
  });

interface Decidable {
  readonly newest: FinalVersion;
  readonly result: SiteResult;
  readonly quality: ResultQuality;
}

const decidable = async (
  { performance }: Pick<DecidingStores, "performance">,
  newest: FinalVersion | undefined,
  { dispatchId, siteId }: DecisionToMake,
): Promise<Decidable | Refusal> => {
  if (newest === undefined) return invalid("the result is not final yet; decide once it is");
  if (newest.reason === "withdrawn") return invalid("the dispatch was voided, and its results are withdrawn");
  const result = await performance.result(dispatchId, newest.version, siteId);
  if (result === null) return notFound("site");
  const { quality } = result;
  if (quality === undefined) return invalid("the result was made by the first rules, by which nothing is decided");
  return { newest, result, quality };
};

const WORDS = { not_judged: "is not judged", not_delivered: "counts as not delivered" } as const;

const noteOn = ({ name }: SiteResult, counts: DecisionToMake["counts"], reason: string): string =>
  `${name} ${counts === null ? "counts by the rules again" : WORDS[counts]}: ${reason}`;
