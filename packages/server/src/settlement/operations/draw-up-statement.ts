import { standingResults } from "../../performance/operations/final/standing-results.js";
import { turns } from "../../platform/turns.js";
import { endOfMonthMs, monthOf, periodOf } from "../../portfolio/operations/local-month.js";
import { rulesOfMonth } from "../../portfolio/operations/rules.js";
import { settleSite } from "../domain/settle-site.js";
import type { SettledProgram, SettledSite, Total } from "../domain/statement.js";
import { totalsOf } from "../domain/statement-totals.js";
import { type CountingPorts, countOnce } from "./count-once.js";
import { type EnrolledInMonth, enrolledInMonth } from "./enrolled-in-month.js";
import { GatheredSites, tookPlace } from "./gathered-sites.js";
import type { Inputs, SettlementStores } from "./settlement-stores.js";

export interface DrawingPorts extends CountingPorts {
  readonly stores: CountingPorts["stores"] & Pick<SettlementStores, "enrolments">;
}

/** A statement before it is stored. */
export interface DrawnStatement {
  readonly accountId: string;
  readonly month: string;
  readonly programs: readonly SettledProgram[];
  readonly sites: readonly SettledSite[];
  readonly totals: readonly Total[];
  readonly inputs: Inputs;
}

/** What the statements of a month have in common. */
export interface MonthToSettle {
  readonly month: string;
  readonly programs: readonly SettledProgram[];
  /** Sites that were enrolled in the month; null accounts were not asked for. */
  readonly enrolled: readonly EnrolledInMonth[];
}

/** The programs with terms in a month, and the sites enrolled in them: of an account, or of all. */
export const monthToSettle = async (
  { stores }: Pick<DrawingPorts, "stores">,
  month: string,
  accountId: string | null,
): Promise<MonthToSettle> => {
  const adoptions = await stores.rules.adoptions();
  const programs = (await stores.terms.ofMonth(month)).map((program) => ({
    ...program,
    rulesVersion: rulesOfMonth(month, program.timezone, adoptions),
  }));
  return { month, programs, enrolled: await enrolledInMonth(stores.enrolments, month, programs, accountId) };
};

/** Makes the statement of an account and month from the results that apply now. */
export const drawUpStatement = async (
  ports: CountingPorts,
  { month, programs, enrolled }: MonthToSettle,
  accountId: string,
): Promise<DrawnStatement> => {
  const gathered = new GatheredSites(enrolled.filter((each) => each.accountId === accountId));
  const terms = new Map(programs.map((program) => [program.id, program]));
  for await (const results of standingResults(ports.standing, periodOf(month), { accountId })) {
    const { dispatch } = results;
    const isSettled = terms.has(dispatch.programId) && monthOf(dispatch.startMs, dispatch.timezone) === month;
    if (isSettled && tookPlace(dispatch)) gathered.add(results);
  }
  const used = programs.filter(({ id }) => gathered.has(id));
  const reach = await countOnce(ports, { accountId, programs: used }, gathered);
  const sites = await settle(used, gathered);
  const endsMs = used.map(({ timezone }) => endOfMonthMs(month, timezone));
  const endsAt = new Date(Math.max(...(endsMs.length === 0 ? [endOfMonthMs(month, "UTC")] : endsMs)));
  const inputs = { endsAt, waiting: gathered.waiting, reach };
  return { accountId, month, programs: used, sites, totals: totalsOf(used, sites), inputs };
};

const settle = async (programs: readonly SettledProgram[], gathered: GatheredSites): Promise<SettledSite[]> => {
  const settled: SettledSite[] = [];
  const turn = turns();
  for (const program of programs) {
    for (const site of gathered.sitesOf(program.id)) {
      settled.push(settleSite(program, site));
      await turn();
    }
  }
  return settled;
};
