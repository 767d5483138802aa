import type { DispatchRevision } from "../../dispatch/domain/dispatch.js";
import type { ReachChannel } from "../../platform/channel.js";

/** At the same moment, a cause before its consequences. */
const happenings = [
  "issued",
  "changed",
  "cancelled",
  "voided",
  "notified",
  "reached",
  "phoned",
  "alarm",
  "alarm_cleared",
  "result",
] as const;

/** Something that happened in a dispatch, or several alike. */
export interface Happened {
  readonly at: Date;
  /** Of several, the last; null for one. */
  readonly until: Date | null;
  readonly what: (typeof happenings)[number];
  readonly count: number;
  readonly modificationNumber: number | null;
  readonly channel: ReachChannel | null;
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly actor: string | null;
  readonly start: Date | null;
  readonly end: Date | null;
  readonly detail: string | null;
  readonly version: number | null;
}

const nothing = {
  until: null,
  count: 1,
  modificationNumber: null,
  channel: null,
  accountId: null,
  accountName: null,
  actor: null,
  start: null,
  end: null,
  detail: null,
  version: null,
} as const;

/** What people did with the dispatch. */
export const revisionsOf = (revisions: readonly DispatchRevision[], voidReason: string | null): Happened[] =>
  revisions.map(({ authorized, ...revision }, index) => ({
    ...nothing,
    ...revision,
    what: authorized ? (index === 0 ? "issued" : "changed") : voidReason === null ? "cancelled" : "voided",
    detail: authorized ? null : voidReason,
  }));

/** From when participants could see each state. */
export const revealedOf = (
  states: ReadonlyArray<{ readonly modificationNumber: number; readonly at: Date }>,
  accounts: number,
): Happened[] =>
  states.map(({ modificationNumber, at }) => ({
    ...nothing,
    modificationNumber,
    at,
    what: "notified",
    count: accounts,
  }));

/** In order of time. */
export const byTime = (a: Happened, b: Happened): number =>
  a.at.getTime() - b.at.getTime() || happenings.indexOf(a.what) - happenings.indexOf(b.what);
