import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { percent, power } from "../format/quantity.js";
import { clock, countdown, dayAndClock, isSameDay } from "../format/time.js";
import { deliveredShare } from "./delivered-share.js";
import { knownSum } from "./known-sum.js";

type Dispatch = participantConsole.AccountDispatch;
type Site = Pick<participantConsole.SiteOverview, "id" | "name" | "stale" | "display_enabled">;

export type Phase = "in_progress" | "upcoming" | "cancelled" | "over";

/** The state at this second; the service was asked some seconds ago. */
export const phaseAt = ({ state, start_time, end_time }: Dispatch, now: Date): Phase => {
  if (state === "cancelled") return "cancelled";
  if (Date.parse(start_time) > now.getTime()) return "upcoming";
  return end_time !== null && Date.parse(end_time) <= now.getTime() ? "over" : "in_progress";
};

export interface Delivering {
  /** null: nothing is measured. */
  readonly deliveredKw: number | null;
  /** null: nothing is agreed. */
  readonly committedKw: number | null;
  readonly share: number | null;
  readonly measuredSites: number;
}

/** What all sites of a dispatch deliver now, measured or not. */
export const deliveringOf = ({ sites }: Dispatch): Delivering => {
  const deliveredKw = knownSum(sites.map(({ delivered_kw }) => delivered_kw));
  const committedKw = knownSum(sites.map(({ commitment_kw }) => commitment_kw));
  return {
    deliveredKw,
    committedKw,
    share: deliveredShare(deliveredKw, committedKw),
    measuredSites: sites.filter(({ delivered_kw }) => delivered_kw !== null).length,
  };
};

/** `Reduce 940 kW until 19:37.` */
export const headlineOf = (dispatch: Dispatch, now: Date, timeZone: string): string => {
  const { start_time, end_time, test } = dispatch;
  const at = (time: string) =>
    isSameDay(time, now, timeZone) ? clock(time, timeZone) : dayAndClock(time, timeZone, now);
  const start = at(start_time);
  const end = end_time === null ? null : at(end_time);
  const words = sentenceOf(phaseAt(dispatch, now), deliveringOf(dispatch).committedKw, start, end);
  return test ? say("Test: {sentence}", { sentence: words }) : words;
};

const sentenceOf = (phase: Phase, committedKw: number | null, start: string, end: string | null): string => {
  if (phase === "over") return end === null ? say("Over.") : say("Over since {end}.", { end });
  if (phase === "cancelled")
    return end === null
      ? say("Cancelled: the dispatch from {start}.", { start })
      : say("Cancelled: the dispatch from {start} until {end}.", { start, end });
  // A number stays with its unit where the line breaks.
  const what = committedKw === null ? say("your load", {}, "to reduce") : power(committedKw).replace(" ", "\u00a0");
  if (phase === "in_progress")
    return end === null ? say("Reduce {what} now.", { what }) : say("Reduce {what} until {end}.", { what, end });
  return end === null
    ? say("Reduce {what} from {start}.", { what, start })
    : say("Reduce {what} from {start} until {end}.", { what, start, end });
};

/** `You deliver 610 kW, 65 % of it.`, or why that is not known. */
export const deliveredWords = (dispatch: Dispatch): string => {
  const { deliveredKw, share, measuredSites } = deliveringOf(dispatch);
  if (deliveredKw === null) return say("What you deliver is not known yet.");
  const sites = dispatch.sites.length;
  const values = { power: power(Math.abs(deliveredKw)), share: percent(share), n: measuredSites, sites };
  const isPartial = measuredSites < sites;
  if (deliveredKw < 0)
    return isPartial
      ? say("You deliver nothing: your load is {power} above the baseline, measured at {n} of {sites} sites.", values)
      : say("You deliver nothing: your load is {power} above the baseline.", values);
  if (share === null)
    return isPartial
      ? say("You deliver {power}, measured at {n} of {sites} sites.", values)
      : say("You deliver {power}.", values);
  return isPartial
    ? say("You deliver {power}, {share}, measured at {n} of {sites} sites.", values)
    : say("You deliver {power}, {share}.", values);
};

/** What happens next with the dispatch: `Ends in 0:12:30.` */
export const nextWords = (dispatch: Dispatch, now: Date): string => {
  switch (phaseAt(dispatch, now)) {
    case "upcoming":
      return say("Starts in {time}.", { time: countdown(dispatch.start_time, now) });
    case "in_progress":
      return dispatch.end_time === null
        ? say("No end is set yet. You will be notified of it.")
        : say("Ends in {time}.", { time: countdown(dispatch.end_time, now) });
    case "cancelled":
      return say("Nothing to do.");
    case "over":
      return say("Return to normal.");
  }
};

export type Due =
  | { readonly kind: "silent"; readonly sites: readonly string[] }
  /** Of all sites together: what one delivers beyond its commitment makes up for another. */
  | { readonly kind: "short"; readonly shortfallKw: number; readonly sites: readonly Shortfall[] }
  /** Together they deliver what is asked, some by themselves do not. */
  | { readonly kind: "short_sites"; readonly sites: readonly Shortfall[] }
  | { readonly kind: "unreached" }
  | { readonly kind: "none" };

/** A site below its own commitment. */
export interface Shortfall {
  readonly name: string;
  readonly shortfallKw: number;
}

/** The worst sites that are named; the dispatch's page has all. */
const NAMED_SITES = 2;
/** Below this share of the commitment, an account or a site is asked for more. */
const SHORT_BELOW = 0.95;

/** What the account has to do for a dispatch, the most urgent first; `none`: keep going. */
export const duesOf = (dispatch: Dispatch, sites: readonly Site[], now: Date): readonly Due[] => {
  const phase = phaseAt(dispatch, now);
  if (phase !== "in_progress" && phase !== "upcoming") return [];
  const byId = new Map(sites.map((site) => [site.id, site]));
  const called = dispatch.sites.flatMap((each) => {
    const site = byId.get(each.site_id);
    return site === undefined ? [] : [{ ...each, ...site }];
  });
  const silent = called.filter(({ stale, display_enabled }) => stale && display_enabled).map(({ name }) => name);
  const dues: Due[] = [
    ...(silent.length === 0 ? [] : [{ kind: "silent", sites: silent } as const]),
    ...(phase === "in_progress" ? shortfallsOf(called) : []),
    ...(dispatch.reached ? [] : [{ kind: "unreached" } as const]),
  ];
  return dues.length === 0 ? [{ kind: "none" }] : dues;
};

type Called = Pick<Dispatch["sites"][number], "commitment_kw" | "delivered_kw"> & Pick<Site, "name">;

const shortfallsOf = (called: readonly Called[]): Due[] => {
  const measured = called.flatMap(({ name, commitment_kw, delivered_kw }) =>
    commitment_kw === null || delivered_kw === null
      ? []
      : [{ name, committedKw: commitment_kw, shortfallKw: commitment_kw - delivered_kw }],
  );
  const isShort = ({ committedKw, shortfallKw }: Omit<(typeof measured)[number], "name">) =>
    shortfallKw > 0 && shortfallKw > committedKw * (1 - SHORT_BELOW);
  const sites = measured
    .filter(isShort)
    .toSorted((a, b) => b.shortfallKw - a.shortfallKw)
    .slice(0, NAMED_SITES)
    .map(({ name, shortfallKw }) => ({ name, shortfallKw }));
  const total = {
    committedKw: measured.reduce((sum, { committedKw }) => sum + committedKw, 0),
    shortfallKw: measured.reduce((sum, { shortfallKw }) => sum + shortfallKw, 0),
  };
  if (sites.length === 0) return [];
  return [isShort(total) ? { kind: "short", shortfallKw: total.shortfallKw, sites } : { kind: "short_sites", sites }];
};

/** Dispatches in progress first, then upcoming, then cancelled ones; those that ended since are gone. */
export const shownDispatches = (dispatches: readonly Dispatch[], now: Date) => {
  const ofPhase = (phase: Phase) => dispatches.filter((each) => phaseAt(each, now) === phase);
  return { running: ofPhase("in_progress"), upcoming: ofPhase("upcoming"), cancelled: ofPhase("cancelled") };
};
