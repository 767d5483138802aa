import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { Caller } from "../../access/operations/caller.js";
import { MOST_AT_ONCE } from "../../platform/in-pieces.js";
import type { Period } from "../../platform/period.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import type { Program } from "../../portfolio/domain/program.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import {
  AS_ISSUED,
  commitmentOf,
  type Dispatch,
  type DispatchProgram,
  isRecordAt,
  type NewDispatch,
  type RequestedSite,
  refuseTest,
  startsInPast,
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
    const refusal = refusePastStart(input, at);
    if (refusal !== null) return refusal;
    const plan = await planDispatch(stores, input, { at, findSites: (ids) => stores.sites.lockDispatchable(ids) });
    if (isRefusal(plan)) return plan;
    const dispatch = await issue(ports, stores, { actor, accountId: null, at, plan, input });
    return { dispatch, excluded: plan.excluded };
  });
  if (isRefusal(created)) return created;
  // After the commit: of two dispatches issued at once, one finds the other.
  return { ...created, overlaps: await findOverlaps(ports.stores, created.dispatch, at) };
};

/** An operator is asked whether a start in the past is meant (G61). */
const refusePastStart = (input: NewDispatch, at: Date): Refusal | null =>
  startsInPast(input, at) && !input.confirmPast
    ? invalid(
        "Send confirm_past: true to issue this dispatch: its start_time is more than 5 minutes in the past" +
          `${isRecordAt(input, at) ? ", and its end_time too, so nobody would be notified" : ""}. ` +
          "Otherwise correct start_time.",
      )
    : null;

/** A participant's own test: its period, and the program that it tests; null: the built-in one. */
export interface NewTest extends Period {
  readonly programId: string | null;
}

/** Creates a participant's own test with its sites (G15, G47, G59). */
export const createTestDispatch = (
  ports: Ports<IssuingStores>,
  caller: Caller,
  test: NewTest,
): Promise<Result<Dispatch>> =>
  ports.transact(async (stores) => {
    const { accountId, actor } = caller;
    const at = ports.clock.now();
    // The lock serialises counting and adding.
    await stores.accounts.lock(accountId);
    const unfinished = await stores.dispatches.unfinishedTests(accountId, at);
    const refusal = refuseTest(test, unfinished.length, at);
    if (refusal !== null) return refusal;
    const tested = await testedSites(stores, accountId, test.programId);
    if (isRefusal(tested)) return tested;
    const findSites = (ids: readonly string[]) => stores.sites.lockDispatchable(ids);
    const planned = await planSites(stores, { called: tested.called, period: test, findSites });
    if (isRefusal(planned)) return planned;
    const input = { start: test.start, end: test.end, notification: null, test: true };
    return issue(ports, stores, { actor, accountId, at, plan: { program: tested.program, ...planned }, input });
  });

interface Tested {
  readonly program: Program;
  readonly called: ReadonlyArray<Required<RequestedSite>>;
}

/** The account's sites in the program, or all of them where none is named (G59). */
const testedSites = async (
  { programs, sites }: PortfolioStores,
  accountId: string,
  programId: string | null,
): Promise<Result<Tested>> => {
  const own = await sites.ofAccount(accountId);
  if (own.length === 0) return invalid("the account has no sites yet; ask the operator to set them up");
  const ids = own.map(({ id }) => id);
  if (programId === null) {
    const commitments = await programs.largestCommitments(ids);
    const called = ids.map((siteId) => ({ siteId, commitmentKw: commitments.get(siteId) ?? null }));
    return { program: await programs.testProgram(), called };
  }
  const [program, called] = await Promise.all([programs.find(programId), programs.enrolledOf([programId], ids)]);
  // A program of others is refused like an unknown one (G4).
  if (program !== null && called.length > 0) return { program, called };
  return invalid(`program_id is ${quote(programId)}; give a program in which the account has enrolled sites`);
};

interface Issue {
  readonly actor: Actor;
  /** The account that requested it; null for the operator. */
  readonly accountId: string | null;
  readonly at: Date;
  readonly plan: DispatchPlan;
  readonly input: Pick<NewDispatch, "start" | "end" | "notification" | "test" | "details">;
}

const issue = async (
  ports: Ports<IssuingStores>,
  stores: IssuingStores,
  { actor, accountId, at, plan, input }: Issue,
): Promise<Dispatch> => {
  const dispatch: Dispatch = {
    ...AS_ISSUED,
    ...input.details,
    id: ports.newId("dis"),
    program: dispatchProgram(plan.program),
    test: input.test,
    start: input.start,
    end: input.end,
    // Nobody can have been notified before it was created (G61).
    notification: input.notification !== null && input.notification > at ? input.notification : at,
    createdAt: at,
    changedAt: at,
    isRecord: isRecordAt(input, at),
    sites: plan.sites,
  };
  const { id, notification: dueAt } = dispatch;
  // The notice refers to the dispatch and its sites; sent together, they are carried out in this order.
  const inserted = stores.dispatches.insert(dispatch, { actor, isSelfMade: accountId !== null });
  if (dispatch.sites.length > MOST_AT_ONCE) await inserted;
  const [, hasVens] = await Promise.all([
    inserted,
    announce(stores, dispatch),
    stores.audit.append({ actor, at }, "dispatch.create", { id, accountId }, { after: summaryOf(dispatch) }),
    changeEventDays(stores, id, [dispatch.start], at),
  ]);
  if (hasVens && dueAt <= at) await stores.venNotices.record(at);
  return dispatch;
};

/** Whether a notified account has VENs. Nobody is notified of a record (G61). */
const announce = async (
  { notices }: IssuingStores,
  { id: dispatchId, isRecord, modificationNumber, notification: dueAt }: Dispatch,
): Promise<boolean> => {
  if (isRecord) return false;
  return (await notices.add({ dispatchId, event: "dispatch.create", modificationNumber, dueAt })).hasVens;
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
