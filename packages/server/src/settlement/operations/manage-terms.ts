import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";
import { refuseMonth } from "../../portfolio/operations/local-month.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { type ProgramTerms, refuseTerms, type Terms } from "../domain/terms.js";
import type { SettlementStores } from "./settlement-stores.js";

export type TermsStores = Pick<SettlementStores, "terms"> &
  Pick<PortfolioStores, "programs"> &
  Pick<AccessStores, "audit">;

export interface NewTerms {
  readonly programId: string;
  readonly fromMonth: string;
  readonly terms: Terms;
}

/** Sets the terms of a program from a month on; statements that are not approved follow. */
export const setTerms = (
  { transact, clock }: Ports<TermsStores>,
  actor: Actor,
  { programId, fromMonth, terms }: NewTerms,
) =>
  transact(async (stores): Promise<Result<ProgramTerms>> => {
    const program = await stores.programs.lock(programId);
    if (program === null) return notFound("program");
    if (program.isSimulated)
      return invalid("The program of the simulated site has no terms: simulated results are never paid.");
    const refusal = refuseMonth(fromMonth, "from_month") ?? refuseTerms(terms);
    if (refusal !== null) return refusal;
    const before = await stores.terms.find(programId, fromMonth);
    if (before !== null && changesNothing(before.terms, terms)) return before;
    const after: ProgramTerms = { programId, fromMonth, terms, setAt: clock.now() };
    await stores.terms.add({ ...after, actor });
    await stores.audit.append({ actor, at: after.setAt }, "terms.set", subjectOf(programId), { before, after });
    return after;
  });

/** Deletes the terms that begin with a month: those before them hold on. */
export const deleteTerms = (
  { transact, clock }: Ports<TermsStores>,
  actor: Actor,
  { programId, fromMonth }: Pick<NewTerms, "programId" | "fromMonth">,
) =>
  transact(async (stores): Promise<Result<ProgramTerms>> => {
    if ((await stores.programs.lock(programId)) === null) return notFound("program");
    const before = await stores.terms.find(programId, fromMonth);
    if (before === null) return notFound("terms");
    const setAt = clock.now();
    await stores.terms.add({ programId, fromMonth, terms: null, setAt, actor });
    await stores.audit.append({ actor, at: setAt }, "terms.delete", subjectOf(programId), { before });
    return before;
  });

const subjectOf = (programId: string) => ({ id: programId, accountId: null });
