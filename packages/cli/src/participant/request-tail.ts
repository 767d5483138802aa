import type { LoggedRequests } from "@curtail/client";

/** What was printed of the request log so far. */
export interface Tail {
  /** Newest entry, in Unix milliseconds by the service's clock; null if none was seen. */
  readonly newestMs: number | null;
  readonly printed: ReadonlyMap<string, Printed>;
}

/** How much of an entry was printed. */
interface Printed {
  readonly atMs: number;
  readonly count: number;
  readonly totalMs: number;
}

export const nothingPrinted: Tail = { newestMs: null, printed: new Map() };

/** An entry of a minute grows until the minute is over, and each process of the service writes a little later. */
const OVERLAP_MS = 120_000;
const MINUTE_MS = 60_000;

/** From where to read again, so that nothing that was written late is missed; null: everything. */
export const readAgainFrom = ({ newestMs }: Tail): string | null =>
  newestMs === null ? null : new Date(newestMs - OVERLAP_MS).toISOString();

/**
 * What is new in entries, oldest first. Of an entry that has grown, only the requests that came: each request is in one
 * line.
 *
 * @param entries newest first, as the service lists them
 */
export const newIn = (
  entries: readonly LoggedRequests[],
  before: Tail,
): { readonly lines: readonly LoggedRequests[]; readonly tail: Tail } => {
  const printed = new Map(before.printed);
  const lines = entries.toReversed().flatMap((entry) => {
    const count = entry.count - (printed.get(entry.id)?.count ?? 0);
    if (count <= 0) return [];
    const totalMs = entry.duration_ms * entry.count;
    const duration_ms = tenths(Math.max(0, totalMs - (printed.get(entry.id)?.totalMs ?? 0)) / count);
    printed.set(entry.id, { atMs: Date.parse(entry.at), count: entry.count, totalMs });
    return [{ ...entry, count, duration_ms }];
  });
  const newestMs = entries.reduce((newest, { at }) => Math.max(newest, Date.parse(at)), before.newestMs ?? 0);
  return { lines, tail: { newestMs: newestMs === 0 ? null : newestMs, printed: recent(printed, newestMs) } };
};

/** Those that can be read again. */
const recent = (printed: ReadonlyMap<string, Printed>, newestMs: number): ReadonlyMap<string, Printed> =>
  new Map([...printed].filter(([, { atMs }]) => atMs >= newestMs - OVERLAP_MS - MINUTE_MS));

const tenths = (ms: number): number => Math.round(ms * 10) / 10;
