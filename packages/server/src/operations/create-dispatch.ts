import type { Actor } from "../domain/account.js";
import { type Dispatch, type DispatchProgram, type DispatchSite, refusePast, refuseTimes } from "../domain/dispatch.js";
import type { Period } from "../domain/period.js";
import type { Program } from "../domain/program.js";
import { invalid, isRefusal, type Refusal, type Result } from "../domain/refusal.js";
import { unavailableSites } from "../domain/schedule.js";
import type { Site } from "../domain/site.js";
import type { Caller, Ports, Stores } from "./ports.js";

/** A site called on; without a commitment, that of its enrolment. */
export interface CalledSite {
  readonly siteId: string;
  readonly commitmentKw?: number | null | undefined;
}

export interface NewDispatch extends Period {
  readonly programId: string;
  readonly notification: Date | null;
  readonly test: boolean;
  /** null: every site enrolled in the program. */
  readonly sites: readonly CalledSite[] | null;
}

export interface CreatedDispatch {
  readonly dispatch: Dispatch;
  readonly excluded: ReadonlyArray<{ readonly siteId: string; readonly reason: string }>;
}

/** Issues an operator's dispatch; sites that are not available in its period are left out (G18). */
export const createDispatch = (ports: Ports, actor: Actor, input: NewDispatch): Promise<Result<CreatedDispatch>> =>
  ports.transact(async (stores) => {
    const at = ports.clock.now();
    const refusal = refuseTimes(input, at) ?? refuseNotification(input, at);
    if (refusal !== null) return refusal;
    const program = await stores.programs.find(input.programId);
    if (program === null) {
      return invalid(`program_id is ${input.programId.slice(0, 50)}, which does not exist; check the program id`);
    }
    const called = await calledSites(stores, input);
    if (isRefusal(called)) return called;
    return issue(ports, stores, { actor, accountId: null, at, program, called, input });
  });

/** A participant's own test of all its sites (G15). */
export const createTestDispatch = (ports: Ports, caller: Caller, period: Period): Promise<Result<Dispatch>> =>
  ports.transact(async (stores) => {
    const { accountId } = caller;
    const at = ports.clock.now();
    const refusal = refusePast(period, at) ?? refuseTimes(period, at);
    if (refusal !== null) return refusal;
    const program = await stores.programs.testProgram();
    const sites = await stores.sites.ofAccount(accountId);
    if (sites.length === 0) return invalid("the account has no sites yet; ask the operator to set them up");
    const commitments = await stores.programs.largestCommitments(sites.map((site) => site.id));
    const called = sites.map(({ id }) => ({ siteId: id, commitmentKw: commitments.get(id) ?? null }));
    const input = { ...period, programId: program.id, notification: null, test: true, sites: called };
    const created = await issue(ports, stores, { actor: caller.actor, accountId, at, program, called, input });
    return isRefusal(created) ? created : created.dispatch;
  });

const refuseNotification = ({ notification, start }: NewDispatch, now: Date): Refusal | null =>
  notification !== null && notification > start && notification > now
    ? invalid("notification_time must not be after start_time")
    : null;

const calledSites = async (stores: Stores, input: NewDispatch): Promise<Result<readonly Required<CalledSite>[]>> => {
  const enrolled = await stores.programs.enrolled(input.programId);
  if (input.sites === null) return enrolled;
  const twice = firstTwice(input.sites.map((site) => site.siteId));
  if (twice !== undefined) return invalid(`sites names ${twice.slice(0, 50)} twice; name each site once`);
  const commitments = new Map(enrolled.map((each) => [each.siteId, each.commitmentKw]));
  return input.sites.map(({ siteId, commitmentKw }) => ({
    siteId,
    commitmentKw: commitmentKw === undefined ? (commitments.get(siteId) ?? null) : commitmentKw,
  }));
};

const firstTwice = (ids: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id).size);
};

interface Issue {
  readonly actor: Actor;
  /** The account that asked for it; null for the operator. */
  readonly accountId: string | null;
  readonly at: Date;
  readonly program: Program;
  readonly called: readonly Required<CalledSite>[];
  readonly input: NewDispatch;
}

const issue = async (
  ports: Ports,
  stores: Stores,
  { actor, accountId, at, program, called, input }: Issue,
): Promise<Result<CreatedDispatch>> => {
  const sites = await stores.sites.lockForDispatch(called.map((site) => site.siteId));
  const unknown = firstUnknown(called, sites);
  if (unknown !== null) return invalid(`sites names ${unknown.slice(0, 50)}, which does not exist; check the site id`);
  const blocks = await stores.schedule.ofSites(
    sites.map((site) => site.id),
    input.start,
  );
  const unavailable = unavailableSites(blocks, input);
  const available = called.filter(({ siteId }) => !unavailable.has(siteId));
  if (available.length === 0) return invalid(nobodyLeft(called.length));
  const dispatch: Dispatch = {
    id: ports.newId("dis"),
    program: dispatchProgram(program),
    test: input.test,
    authorized: true,
    start: input.start,
    end: input.end,
    notification: input.notification ?? at,
    modificationNumber: 0,
    createdAt: at,
    changedAt: at,
    sites: asCalled(available, sites),
  };
  await stores.dispatches.insert(dispatch, actor);
  await stores.notices.add({ dispatchId: dispatch.id, event: "dispatch.create", dueAt: dispatch.notification });
  await stores.audit.append(
    { actor, at },
    "dispatch.create",
    { id: dispatch.id, accountId },
    { after: summaryOf(dispatch) },
  );
  const reason = "not available: a schedule block of the site meets the dispatch";
  return { dispatch, excluded: [...unavailable].map((siteId) => ({ siteId, reason })) };
};

const dispatchProgram = ({ id, name, timezone, market, programType }: Program): DispatchProgram => ({
  id,
  name,
  timezone,
  market,
  programType,
});

/** What the audit log keeps: which sites for how much, without repeating what is known of them. */
const summaryOf = (dispatch: Dispatch) => ({
  ...dispatch,
  sites: dispatch.sites.map(({ id, commitmentKw }) => ({ id, commitmentKw })),
});

const nobodyLeft = (called: number): string =>
  called === 0
    ? "the program has no enrolled sites; enrol some, or name sites"
    : "no site is available in the period; every one has a schedule block that meets it";

const firstUnknown = (called: readonly CalledSite[], found: readonly Site[]): string | null => {
  const known = new Set(found.map((site) => site.id));
  return called.find(({ siteId }) => !known.has(siteId))?.siteId ?? null;
};

const asCalled = (called: readonly Required<CalledSite>[], sites: readonly Site[]): DispatchSite[] => {
  const byId = new Map(sites.map((site) => [site.id, site]));
  return called.flatMap(({ siteId, commitmentKw }) => {
    const site = byId.get(siteId);
    return site === undefined ? [] : [{ ...site, commitmentKw: commitmentKw ?? null }];
  });
};
