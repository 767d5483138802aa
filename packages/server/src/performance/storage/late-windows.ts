import { IS_EVENT } from "../../dispatch/storage/dispatch-conditions.js";
import type { Clock } from "../../platform/clock.js";
import type { Queryable } from "../../platform/database/database.js";
import { FreshMemory } from "../../platform/fresh-memory.js";
import type { ReadStamps } from "../../platform/stamps.js";
import type { LateSpan, LateWindows } from "../operations/late-ports.js";

interface Window {
  readonly isDispatched: boolean;
  /** Readings of the last hour concern a dispatch until then; those before the last hour always may, if there is any. */
  readonly openUntilMs: number;
}

interface WindowRow {
  readonly site: string;
  readonly is_dispatched: boolean;
  readonly is_open: boolean;
  readonly last_end: Date | null;
}

interface Found {
  readonly stamp: string;
  readonly concerned: readonly LateSpan[];
}

const HOUR_MS = 3_600_000;
const NEVER: Window = { isDispatched: false, openUntilMs: Number.NEGATIVE_INFINITY };

/** For some 250,000 sites. */
const MOST_BYTES = 64 * 1024 * 1024;
const SITE_BYTES = 260;

/** The window of each site, read once until a dispatch changes. */
export const lateWindows = (db: Queryable, readStamps: ReadStamps, clock: Clock): LateWindows => {
  const memory = new FreshMemory<Window>({
    load: (sites) => loadWindows(db, sites, clock.now()),
    bytesOf: () => SITE_BYTES,
    mostBytes: MOST_BYTES,
  });
  const stamps = new DispatchStamps(readStamps);
  /** What was found of the spans of an upload, which are asked for twice: mostly no dispatch changes in between. */
  const answers = new WeakMap<readonly LateSpan[], Found>();
  return {
    async concerned(spans, mostAgeMs) {
      const stamp = await stamps.read(mostAgeMs);
      // Without a stamp all may.
      if (stamp === null) return spans;
      const before = answers.get(spans);
      if (before?.stamp === stamp) return before.concerned;
      const windows = await memory.findAll(
        spans.map(({ site }) => `${site}`),
        stamp,
      );
      const nowMs = clock.now().getTime();
      const concerned = spans.filter((span, index) => isIn(span, windows[index] ?? NEVER, nowMs));
      answers.set(spans, { stamp, concerned });
      return concerned;
    },
  };
};

/** The stamp of dispatches, and when it was last read. */
class DispatchStamps {
  private stamp: string | null = null;
  private readAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly readStamps: ReadStamps) {}

  /** null: it cannot be read. */
  async read(mostAgeMs: number): Promise<string | null> {
    const nowMs = performance.now();
    if (nowMs - this.readAtMs < mostAgeMs) return this.stamp;
    this.stamp = await this.readStamps().then(
      ({ dispatches }) => dispatches,
      () => null,
    );
    this.readAtMs = nowMs;
    return this.stamp;
  }
}

const isIn = ({ fromMs }: LateSpan, { isDispatched, openUntilMs }: Window, nowMs: number): boolean =>
  fromMs < nowMs - HOUR_MS ? isDispatched : fromMs <= openUntilMs;

/** Whether a site was ever dispatched is found by index, and the last end among the dispatches that are not long over. */
const loadWindows = async (db: Queryable, sites: readonly string[], now: Date): Promise<readonly Window[]> => {
  const { rows } = await db.query<WindowRow>({
    name: "late-windows",
    text: `with asked as materialized (select id, key from sites where key = any($1::int[])),
             lately as materialized (
               select id, end_time from dispatches where (end_time is null or end_time >= $2) and ${IS_EVENT}
             ), open as (
               select site_id, bool_or(end_time is null) as is_open, max(end_time) as last_end
               from lately cross join lateral (
                 select site_id from dispatch_sites
                 where dispatch_id = lately.id and site_id = any(array(select id from asked)) offset 0
               ) as called
               group by site_id
             )
           select asked.key::text as site, coalesce(is_open, false) as is_open, last_end,
             exists (select from dispatch_sites where site_id = asked.id offset 0) as is_dispatched
           from asked left join open on open.site_id = asked.id`,
    values: [sites, new Date(now.getTime() - 2 * HOUR_MS)],
  });
  const windows = new Map(rows.map((row) => [row.site, windowFromRow(row)]));
  return sites.map((site) => windows.get(site) ?? NEVER);
};

const windowFromRow = ({ is_dispatched, is_open, last_end }: WindowRow): Window => ({
  isDispatched: is_dispatched,
  openUntilMs: is_open ? Number.POSITIVE_INFINITY : (last_end?.getTime() ?? Number.NEGATIVE_INFINITY) + HOUR_MS,
});
