import { useMemo } from "react";
import { useOperator } from "../../../api/use-call.js";
import type { OperatorPerformance } from "../../../live/use-performance.js";
import { momentText } from "../../../rules/replay.js";
import { rowAt, rowOf, type SiteRow } from "../../../rules/site-row.js";

const CELL_MS = 30_000;

interface Asked {
  readonly id: string;
  readonly version: number | undefined;
  readonly performance: OperatorPerformance | null;
  /** Ids of accounts. */
  readonly notNotified: ReadonlySet<string>;
  /** null: now. */
  readonly at: Date | null;
}

/** The sites of a dispatch now, on average once it is over, or at a moment of the past. */
export const useRows = ({ id, version, performance, notNotified, at }: Asked): readonly SiteRow[] => {
  const cell = at === null ? "" : cellOf(at, performance);
  const query = { at: cell, ...(version === undefined ? {} : { version }) };
  const input = { params: { id }, query };
  const then = useOperator("/dispatches/{id}/performance/sites", input, {
    enabled: cell !== "" && performance !== null,
    keep: true,
  });
  const { data } = then;
  return useMemo(() => {
    if (performance === null) return [];
    const { sites, state, status_limits, start_time, measured_until } = performance;
    const isLive = state === "in_progress" || state === "upcoming";
    // Before the first moment is loaded, what was shown stays.
    if (cell === "" || data === undefined) {
      // An account that was not notified of a dispatch that is over need not be any more.
      const open = isLive ? notNotified : NOBODY;
      return sites.map((site) => rowOf(site, { isLive, notNotified: open }));
    }
    const momentary = new Map(data.sites.map((site) => [site.site_id, site]));
    const ms = Date.parse(cell);
    const isCalled = ms > Date.parse(start_time) && ms <= Date.parse(measured_until);
    return sites.map((site) =>
      rowAt(site, momentary.get(site.site_id) ?? UNKNOWN, { notNotified, limits: status_limits, isCalled }),
    );
  }, [performance, notNotified, cell, data]);
};

/** The interval of a moment. A clock that is ahead of the service's, or an address, may ask for the future, which is not known. */
const cellOf = (at: Date, performance: OperatorPerformance | null): string => {
  const lastMs = performance === null ? Number.POSITIVE_INFINITY : Date.parse(performance.as_of);
  return momentText(Math.floor(Math.min(at.getTime(), lastMs) / CELL_MS) * CELL_MS);
};

const NOBODY: ReadonlySet<string> = new Set();
const UNKNOWN = { reduction_kw: null, timestamp: null };
