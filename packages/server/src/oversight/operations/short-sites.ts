import type { DispatchTracker } from "../../performance/operations/live/dispatch-tracker.js";
import { type ShortState, shortfallKw, shortStateOf } from "../domain/attention.js";
import { type AttentionPorts, attendedSites } from "./dispatch-attention.js";
import type { DispatchSums, OperatorOverviewPorts } from "./operator-overview.js";

export type ShortSitesPorts = Pick<OperatorOverviewPorts, "overview" | "live" | "clock"> &
  Pick<AttentionPorts, "attention">;

export interface ShortSite {
  readonly siteId: string;
  readonly dispatchId: string;
  readonly state: ShortState;
  readonly deliveredKw: number | null;
  readonly shortKw: number;
}

/** A dispatch in progress, and what it lacks. */
export interface ShortDispatch extends DispatchSums {
  readonly rampUntil: Date | null;
  /** null while it is being read, as is what it lacks. */
  readonly sitesMeasured: number | null;
  readonly shortSites: number;
  readonly shortKw: number | null;
}

export interface ShortSites {
  readonly asOf: Date;
  readonly dispatches: readonly ShortDispatch[];
  /** The largest shortfall first. */
  readonly sites: readonly ShortSite[];
}

/** The sites that are short in dispatches in progress, as far as that is known without waiting for readings. */
export const shortSites = async (ports: ShortSitesPorts): Promise<ShortSites> => {
  const asOf = ports.clock.now();
  const active = await ports.overview.active(asOf);
  const found = await Promise.all(active.map((dispatch) => shortIn(ports, dispatch, asOf)));
  return {
    asOf,
    dispatches: found.map(({ dispatch }) => dispatch),
    sites: found.flatMap(({ sites }) => sites).toSorted((a, b) => b.shortKw - a.shortKw),
  };
};

interface Short {
  readonly dispatch: ShortDispatch;
  readonly sites: readonly ShortSite[];
}

const shortIn = async (ports: ShortSitesPorts, dispatch: DispatchSums, asOf: Date): Promise<Short> => {
  const rampUntil = rampEndOf(dispatch);
  const tracker = ports.live.trackerNow(dispatch.id);
  if (tracker === null) {
    const nothing = { sitesMeasured: null, shortSites: 0, shortKw: null };
    return { dispatch: { ...dispatch, rampUntil, ...nothing }, sites: [] };
  }
  const { now, commitmentKw } = tracker.report().totals;
  // Sites that still ramp up are not short.
  const isRamping = rampUntil !== null && asOf < rampUntil;
  const sites = isRamping ? [] : sitesOf(tracker, await unreachedOf(ports, dispatch.id), asOf);
  const figures = {
    sitesMeasured: now.sites,
    shortSites: sites.length,
    shortKw: now.reductionKw === null ? null : Math.max(0, commitmentKw - now.reductionKw),
  };
  return { dispatch: { ...dispatch, rampUntil, ...figures }, sites };
};

const rampEndOf = ({ start, rampUpSeconds }: DispatchSums): Date | null =>
  rampUpSeconds === null ? null : new Date(start.getTime() + rampUpSeconds * 1000);

/** Accounts that the latest modification has not reached. */
const unreachedOf = async ({ attention }: ShortSitesPorts, dispatchId: string): Promise<ReadonlySet<string>> => {
  const announced = await attention.announced(dispatchId);
  if (announced === null || announced.isRecord) return new Set();
  const accounts = await attention.accounts(dispatchId, announced.modificationNumber);
  return new Set(accounts.filter(({ by }) => by.length === 0).map(({ accountId }) => accountId));
};

const sitesOf = (tracker: DispatchTracker, unreached: ReadonlySet<string>, asOf: Date): readonly ShortSite[] =>
  attendedSites(tracker, asOf).flatMap((site) => {
    const { siteId, accountId, deliveredKw } = site;
    const state = shortStateOf(site, !unreached.has(accountId));
    if (state === null) return [];
    return [{ siteId, dispatchId: tracker.dispatch.id, state, deliveredKw, shortKw: shortfallKw(site) }];
  });
