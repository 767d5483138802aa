import type { Dispatch } from "./participant-types.js";

/** A period in which a site must curtail by one amount. */
export interface CurtailmentWindow {
  /** The site. */
  readonly site_id: string;
  /** When to begin, RFC 3339 in UTC. */
  readonly start_time: string;
  /** When to stop, RFC 3339 in UTC; null: when an update sets the end. */
  readonly end_time: string | null;
  /** In kW; null: as much as possible. */
  readonly commitment: number | null;
  /** The dispatches that ask for it, in the order of their start. */
  readonly dispatch_ids: readonly string[];
}

/** How overlapping dispatches add up. */
export interface WindowOptions {
  /**
   * What a site owes to overlapping dispatches: the `sum` of their commitments, or the `max` of them. Default: `sum`.
   * A dispatch without a commitment asks for as much as possible, and so does every overlap with it.
   */
  readonly overlaps?: "sum" | "max";
}

interface Call {
  readonly site: string;
  readonly dispatch: string;
  readonly start: number;
  /** Infinity for an open end. */
  readonly end: number;
  readonly commitment: number | null;
}

/**
 * When and by how much each site must curtail: overlapping dispatches are cut at every start and end, and the
 * commitments of each piece joined. Pieces that touch and ask for the same amount are one window. Cancelled dispatches
 * ask for nothing. The windows of a site do not overlap; they come by site, then by time.
 *
 * @param dispatches as `listDispatches` returns them
 * @example
 * const { dispatches } = await participant.listDispatches();
 * for (const { site_id, start_time, end_time, commitment } of curtailmentWindows(dispatches))
 *   schedule(site_id, start_time, end_time, commitment);
 */
export const curtailmentWindows = (
  dispatches: readonly Dispatch[],
  { overlaps = "sum" }: WindowOptions = {},
): readonly CurtailmentWindow[] => {
  const bySite = new Map<string, Call[]>();
  for (const call of dispatches.flatMap(callsOf)) bySite.set(call.site, [...(bySite.get(call.site) ?? []), call]);
  return [...bySite.values()].flatMap((calls) => windowsOf(calls, overlaps));
};

const callsOf = ({ id, authorized, start_time, end_time, sites }: Dispatch): readonly Call[] => {
  const start = Date.parse(start_time);
  const end = end_time === null ? Number.POSITIVE_INFINITY : Date.parse(end_time);
  if (!authorized || !(start < end)) return [];
  return sites.map(({ id: site, commitment }) => ({ site, dispatch: id, start, end, commitment }));
};

const windowsOf = (calls: readonly Call[], overlaps: "sum" | "max"): readonly CurtailmentWindow[] => {
  const ordered = calls.toSorted((a, b) => a.start - b.start || (a.dispatch < b.dispatch ? -1 : 1));
  const moments = [...new Set(ordered.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const pieces = moments.slice(0, -1).flatMap((start, index) => {
    const asking = ordered.filter((call) => call.start <= start && start < call.end);
    return asking.length === 0 ? [] : [pieceOf(asking, start, moments[index + 1] ?? start, overlaps)];
  });
  return joined(pieces).map(windowOf);
};

interface Piece {
  readonly site: string;
  readonly start: number;
  readonly end: number;
  readonly commitment: number | null;
  readonly dispatches: readonly string[];
}

const pieceOf = (asking: readonly Call[], start: number, end: number, overlaps: "sum" | "max"): Piece => ({
  site: asking[0]?.site ?? "",
  start,
  end,
  commitment: joinedCommitment(asking, overlaps),
  dispatches: asking.map(({ dispatch }) => dispatch),
});

const joinedCommitment = (asking: readonly Call[], overlaps: "sum" | "max"): number | null => {
  const known = asking.flatMap(({ commitment }) => (commitment === null ? [] : [commitment]));
  if (known.length < asking.length) return null;
  return overlaps === "max" ? Math.max(...known) : known.reduce((sum, each) => sum + each, 0);
};

const joined = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.reduce<readonly Piece[]>((before, piece) => {
    const last = before.at(-1);
    if (last === undefined || last.end !== piece.start || last.commitment !== piece.commitment)
      return [...before, piece];
    const dispatches = [...new Set([...last.dispatches, ...piece.dispatches])];
    return [...before.slice(0, -1), { ...last, end: piece.end, dispatches }];
  }, []);

const windowOf = ({ site, start, end, commitment, dispatches }: Piece): CurtailmentWindow => ({
  site_id: site,
  start_time: timeOf(start),
  end_time: Number.isFinite(end) ? timeOf(end) : null,
  commitment,
  dispatch_ids: dispatches,
});

/** Whole seconds with `Z`, as the interface writes times (G58). */
const timeOf = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
