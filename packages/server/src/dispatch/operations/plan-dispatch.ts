import { MOST_AT_ONCE } from "../../platform/in-pieces.js";
import type { Period } from "../../platform/period.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, mapResult, type Refusal, type Result } from "../../platform/refusal.js";
import { mapInTurns, nextTurn } from "../../platform/turns.js";
import type { Program } from "../../portfolio/domain/program.js";
import { limitedSites, unavailableSites } from "../../portfolio/domain/schedule.js";
import type { DispatchableSite, PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { type DispatchSite, type NewDispatch, type RequestedSite, refuseTimes } from "../domain/dispatch.js";

/** The sites of a dispatch, and those it leaves out. */
export interface PlannedSites {
  readonly sites: readonly DispatchSite[];
  readonly excluded: ReadonlyArray<{ readonly siteId: string; readonly reason: string }>;
}

export interface DispatchPlan extends PlannedSites {
  readonly program: Program;
}

/** Looks up sites; locks them if the plan will be written. */
type FindSites = (ids: readonly string[]) => Promise<readonly DispatchableSite[]>;

/** An operator's dispatch as it would be, or why it is refused; sites that cannot take part are left out (G18, G50). */
export const planDispatch = async (
  stores: PortfolioStores,
  input: NewDispatch,
  { at, findSites }: { readonly at: Date; readonly findSites: FindSites },
): Promise<Result<DispatchPlan>> => {
  const refusal = refuseTimes(input, at) ?? refuseNotification(input, at);
  if (refusal !== null) return refusal;
  // Asked together: notices wait for every answer of the database.
  const [program, enrolled] = await Promise.all([
    stores.programs.find(input.programId),
    stores.programs.enrolled(input.programId),
  ]);
  if (program === null) {
    return invalid(`program_id is ${quote(input.programId)}, which does not exist; check the program id`);
  }
  const called = await calledSites(input, enrolled);
  if (isRefusal(called)) return called;
  return mapResult(planSites(stores, { called, period: input, findSites }), (planned) => ({ program, ...planned }));
};

interface Calling {
  readonly called: readonly Required<RequestedSite>[];
  readonly period: Period;
  readonly findSites: FindSites;
}

/** The requested sites in their current state, without those that are unavailable or whose account is disabled. */
export const planSites = async (
  stores: PortfolioStores,
  { called, period, findSites }: Calling,
): Promise<Result<PlannedSites>> => {
  const ids = called.map((site) => site.siteId);
  // In this order: once the sites are locked, their availability stays as it is read.
  const finding = findSites(ids);
  if (ids.length > MOST_AT_ONCE) await finding;
  const [sites, blocks] = await Promise.all([finding, stores.schedule.ofSites(ids, period.start)]);
  const byId = new Map(sites.map((site) => [site.id, site]));
  await nextTurn();
  const unknown = called.find(({ siteId }) => !byId.has(siteId))?.siteId;
  if (unknown !== undefined) return invalid(`sites names ${quote(unknown)}, which does not exist; check the site id`);
  const reasons = new Map([
    ...[...unavailableSites(blocks, period)].map((siteId) => [siteId, UNAVAILABLE] as const),
    ...sites.filter(({ isDisabled }) => isDisabled).map(({ id }) => [id, DISABLED] as const),
  ]);
  await nextTurn();
  const left = called.filter(({ siteId }) => !reasons.has(siteId));
  if (left.length === 0) return invalid(nobodyLeft(new Set(reasons.values())));
  return {
    sites: await asDispatched(await withinLimits(left, limitedSites(blocks, period)), byId),
    excluded: [...reasons].map(([siteId, reason]) => ({ siteId, reason })),
  };
};

/** Commitments, as far as blocks leave them; an unknown one stays unknown (G18). */
const withinLimits = (
  called: readonly Required<RequestedSite>[],
  limits: ReadonlyMap<string, number>,
): Promise<Required<RequestedSite>[]> =>
  mapInTurns(called, (site) => {
    const { siteId, commitmentKw } = site;
    if (commitmentKw === null || commitmentKw === undefined) return site;
    return { ...site, commitmentKw: Math.min(commitmentKw, limits.get(siteId) ?? commitmentKw) };
  });

const UNAVAILABLE = "not available: the dispatch overlaps an availability block of the site";
const DISABLED = "account disabled";

const refuseNotification = ({ notification, start }: NewDispatch, now: Date): Refusal | null =>
  notification !== null && notification > start && notification > now
    ? invalid("notification_time must not be after start_time")
    : null;

const calledSites = async (
  input: NewDispatch,
  enrolled: readonly Required<RequestedSite>[],
): Promise<Result<readonly Required<RequestedSite>[]>> => {
  if (input.sites === null) return enrolled;
  const twice = firstTwice(input.sites.map((site) => site.siteId));
  if (twice !== undefined) return invalid(`sites names ${quote(twice)} twice; name each site once`);
  const commitments = new Map(enrolled.map((each) => [each.siteId, each.commitmentKw]));
  return mapInTurns(input.sites, ({ siteId, commitmentKw }) => ({
    siteId,
    commitmentKw: commitmentKw === undefined ? (commitments.get(siteId) ?? null) : commitmentKw,
  }));
};

const firstTwice = (ids: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id).size);
};

const nobodyLeft = (reasons: ReadonlySet<string>): string => {
  if (reasons.size === 0) return "the program has no enrolled sites; enrol sites in it, or name sites";
  if (!reasons.has(DISABLED))
    return "no site is available in the period: each has an availability block that overlaps it";
  if (!reasons.has(UNAVAILABLE))
    return "no site can be dispatched: every account is disabled; enable one, or name other sites";
  return "no site can be dispatched: each has an availability block that overlaps the period, or its account is disabled";
};

const asDispatched = async (
  called: readonly Required<RequestedSite>[],
  byId: ReadonlyMap<string, DispatchableSite>,
): Promise<DispatchSite[]> => {
  const sites = await mapInTurns(called, ({ siteId, commitmentKw }) => {
    const site = byId.get(siteId);
    if (site === undefined) return [];
    const { id, accountId, name, customerLocationId, dispatchGroup } = site;
    return [{ id, accountId, name, customerLocationId, dispatchGroup, commitmentKw: commitmentKw ?? null }];
  });
  return sites.flat();
};
