import type { Dispatch } from "@curtail/contract";
import type { Call } from "@curtail/simulation";

/** What the fleet knows about dispatches, each state as it was learned. */
export interface CallBook {
  /** Applies the current state of a dispatch; returns what is new about it, or null. */
  take(dispatch: Dispatch, nowMs: number): "called" | "changed" | "cancelled" | null;
  callsOf(siteId: string): readonly Call[];
}

interface Known extends Call {
  readonly siteIds: ReadonlySet<string>;
  readonly modification: number;
}

export const callBook = (): CallBook => {
  // An account sees its own sites only, so a dispatch is stored once per account.
  const known = new Map<string, Known>();
  return {
    take(dispatch, nowMs) {
      const key = `${dispatch.id} ${dispatch.sites[0]?.id}`;
      const before = known.get(key);
      if (before !== undefined && before.modification >= dispatch.modification_number) return null;
      known.set(key, {
        heardMs: before?.heardMs ?? nowMs,
        startMs: Date.parse(dispatch.start_time),
        endMs: endOf(dispatch, before, nowMs),
        siteIds: new Set(dispatch.sites.map(({ id }) => id)),
        modification: dispatch.modification_number,
      });
      if (!dispatch.authorized) return "cancelled";
      return before === undefined ? "called" : "changed";
    },
    callsOf: (siteId) => [...known.values()].filter(({ siteIds }) => siteIds.has(siteId)),
  };
};

/** For a site, a cancelled dispatch ends when the site learns of it. */
const endOf = (dispatch: Dispatch, before: Known | undefined, nowMs: number): number => {
  const endMs = dispatch.end_time === null ? Number.POSITIVE_INFINITY : Date.parse(dispatch.end_time);
  if (dispatch.authorized) return endMs;
  return before === undefined ? Number.NEGATIVE_INFINITY : Math.min(endMs, nowMs);
};
