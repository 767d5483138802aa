import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Caller } from "../../access/operations/caller.js";
import { MOST_AT_ONCE } from "../../platform/in-pieces.js";
import type { Period } from "../../platform/period.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, type Result } from "../../platform/refusal.js";
import type { Program } from "../../portfolio/domain/program.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import {
  AS_ISSUED,
  commitmentOf,
  type Dispatch,
  type DispatchProgram,
  type NewDispatch,
  refuseTest,
} from "../domain/dispatch.js";
import { changeEventDays } from "./change-event-days.js";
import type { DispatchStores } from "./dispatch-stores.js";
import { findOverlaps, type SiteOverlaps } from "./find-overlaps.js";
import { type DispatchPlan, type PlannedSites, planDispatch, planSites } from "./plan-dispatch.js";

export type IssuingStores = DispatchStores & PortfolioStores & Pick<AccessStores, "accounts" | "audit">;

export interface CreatedDispatch extends Pick<PlannedSites, "excluded"> {
  readonly dispatch: Dispatch;
  readonly overlaps: SiteOverlaps;
}

/** Issues an operator's dispatch. */
export const createDispatch = async (
  ports: Ports<IssuingStores>,
  actor: Actor,
  input: NewDispatch,
): Promise<Result<CreatedDispatch>> => {
  const at = ports.clock.now();
  const created = await ports.transact(async (stores) => {
    const plan = await planDispatch(stores, input, { at, findSites: (ids) => stores.sites.lockDispatchable(ids) });
    if (isRefusal(plan)) return plan;
    const dispatch = await issue(ports, stores, { actor, accountId: null, at, plan, input });
    return { dispatch, excluded: plan.excluded };
  });
  if (isRefusal(created)) return created;
  // After the commit: of two dispatches issued at once, one finds the other.
  return { ...created, overlaps: await findOverlaps(ports.stores, created.dispatch, at) };
};

/** Creates a participant's own test with all its sites (G15, G47). */
export const createTestDispatch = (
  ports: Ports<IssuingStores>,
  caller: Caller,
  period: Period,
): Promise<Result<Dispatch>> =>
  ports.transact(async (stores) => {
    const { accountId, actor } = caller;
    const at = ports.clock.now();
    // The lock serialises counting and adding.
    await stores.accounts.lock(accountId);
    const unfinished = await stores.dispatches.unfinishedTests(accountId, at);
    const refusal = refuseTest(period, unfinished.length, at);
    if (refusal !== null) return refusal;
    const program = await stores.programs.testProgram();
    const sites = await stores.sites.ofAccount(accountId);
    if (sites.length === 0) return invalid("the account has no sites yet; ask the operator to set them up");
    const commitments = await stores.programs.largestCommitments(sites.map((site) => site.id));
    const called = sites.map(({ id }) => ({ siteId: id, commitmentKw: commitments.get(id) ?? null }));
    const planned = await planSites(stores, { called, period, findSites: (ids) => stores.sites.lockDispatchable(ids) });
    if (isRefusal(planned)) return planned;
    const input = { ...period, notification: null, test: true };
    return issue(ports, stores, { actor, accountId, at, plan: { program, ...planned }, input });
  });

interface Issue {
  readonly actor: Actor;
  /** The account that requested it; null for the operator. */
  readonly accountId: string | null;
  readonly at: Date;
  readonly plan: DispatchPlan;
  readonly input: Pick<NewDispatch, "start" | "end" | "notification" | "test">;
}

const issue = async (
  ports: Ports<IssuingStores>,
  stores: IssuingStores,
  { actor, accountId, at, plan, input }: Issue,
): Promise<Dispatch> => {
  const dispatch: Dispatch = {
    ...AS_ISSUED,
    id: ports.newId("dis"),
    program: dispatchProgram(plan.program),
    test: input.test,
    start: input.start,
    end: input.end,
    notification: input.notification ?? at,
    createdAt: at,
    changedAt: at,
    sites: plan.sites,
  };
  const { id, modificationNumber, notification: dueAt } = dispatch;
  // The notice refers to the dispatch and its sites; sent together, they are carried out in this order.
  const inserted = stores.dispatches.insert(dispatch, actor);
  if (dispatch.sites.length > MOST_AT_ONCE) await inserted;
  const [, { hasVens }] = await Promise.all([
    inserted,
    stores.notices.add({ dispatchId: id, event: "dispatch.create", modificationNumber, dueAt }),
    stores.audit.append({ actor, at }, "dispatch.create", { id, accountId }, { after: summaryOf(dispatch) }),
    changeEventDays(stores, id, [dispatch.start], at),
  ]);
  if (hasVens && dueAt <= at) await stores.venNotices.record(at);
  return dispatch;
};

const dispatchProgram = ({ id, name, timezone, market, programType }: Program): DispatchProgram => ({
  id,
  name,
  timezone,
  market,
  programType,
});

/** For the audit log: sites never change, so only their number and total commitment are kept. */
const summaryOf = ({ sites, ...dispatch }: Dispatch) => ({
  ...dispatch,
  siteCount: sites.length,
  commitmentKw: commitmentOf(sites),
});
