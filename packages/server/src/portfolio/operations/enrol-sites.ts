import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { refuseWhileRunning } from "../../access/operations/running-dispatches.js";
import type { Ports } from "../../platform/ports.js";
import { notFound, type Result } from "../../platform/refusal.js";
import { type Enrolment, simulatedAlone } from "../domain/program.js";
import { refuseBaseline } from "./baseline-method.js";
import type { PortfolioStores } from "./portfolio-stores.js";
import { writeEnrolments } from "./write-sites.js";

type EnrolmentPorts = Ports<PortfolioStores & Pick<AccessStores, "audit" | "running">>;

export interface Skipped<Reason extends string> {
  readonly siteId: string;
  readonly reason: Reason;
}

interface Enrolling extends Omit<Enrolment, "siteId"> {
  readonly siteIds: readonly string[];
}

export interface Enrolled {
  readonly enrolled: readonly string[];
  readonly skipped: ReadonlyArray<Skipped<"already_enrolled" | "not_found">>;
}

/** Enrols those of the sites that are not yet; existing enrolments keep their commitment and baseline. */
export const enrolSites = ({ transact, clock }: EnrolmentPorts, actor: Actor, { siteIds, ...terms }: Enrolling) =>
  transact(async ({ programs, sites, audit }): Promise<Result<Enrolled>> => {
    const refusal = refuseBaseline(terms.baseline);
    if (refusal !== null) return refusal;
    const program = await programs.lock(terms.programId);
    if (program === null) return notFound("program");
    const wanted = [...new Set(siteIds)];
    const found = await sites.findDispatchable(wanted);
    if (found.some(({ isSimulated }) => isSimulated !== program.isSimulated)) return simulatedAlone;
    const accounts = new Map(found.map(({ id, accountId }) => [id, accountId]));
    const before = new Set((await programs.enrolled(terms.programId)).map(({ siteId }) => siteId));
    const added: Array<{ before: null; after: Enrolment; accountId: string }> = [];
    const skipped: Array<Enrolled["skipped"][number]> = [];
    for (const siteId of wanted) {
      const accountId = accounts.get(siteId);
      if (accountId === undefined) skipped.push({ siteId, reason: "not_found" });
      else if (before.has(siteId)) skipped.push({ siteId, reason: "already_enrolled" });
      else added.push({ before: null, after: { ...terms, siteId }, accountId });
    }
    await writeEnrolments({ programs, audit }, { actor, at: clock.now() }, added);
    return { enrolled: added.map(({ after }) => after.siteId), skipped };
  });

export interface Withdrawn {
  readonly withdrawn: readonly string[];
  readonly skipped: ReadonlyArray<Skipped<"not_enrolled">>;
}

interface Withdrawing {
  readonly programId: string;
  readonly siteIds: readonly string[];
  /** Also while a dispatch of the program that targets one of them is in progress. */
  readonly isConfirmed: boolean;
}

export const withdrawSites = (
  { transact, clock }: EnrolmentPorts,
  actor: Actor,
  { programId, siteIds, isConfirmed }: Withdrawing,
) =>
  transact(async ({ programs, sites, audit, running }): Promise<Result<Withdrawn>> => {
    // Locked, so that two requests meet the sites one after the other.
    if ((await programs.lock(programId)) === null) return notFound("program");
    const wanted = [...new Set(siteIds)];
    const accounts = new Map((await sites.findDispatchable(wanted)).map(({ id, accountId }) => [id, accountId]));
    const withdrawn: string[] = [];
    const skipped: Array<Withdrawn["skipped"][number]> = [];
    const at = clock.now();
    for (const siteId of wanted) {
      const before = await programs.withdraw(programId, siteId);
      if (before === null) skipped.push({ siteId, reason: "not_enrolled" });
      else {
        const subject = { id: siteId, accountId: accounts.get(siteId) ?? null };
        await audit.append({ actor, at }, "program.withdraw", subject, { before });
        withdrawn.push(siteId);
      }
    }
    const affected = await running.ofSites(programId, withdrawn, at);
    const refusal = refuseWhileRunning({ what: "withdraw these sites", running: affected, isConfirmed });
    return refusal ?? { withdrawn, skipped };
  });
