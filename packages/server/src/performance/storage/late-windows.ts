import { IS_EVENT } from "../../dispatch/storage/dispatch-conditions.js";
import type { Clock } from "../../platform/clock.js";
import type { Queryable } from "../../platform/database/database.js";
import { rowsOfEach } from "../../platform/database/rows-of-each.js";
import { FreshMemory } from "../../platform/fresh-memory.js";
import type { ReadStamps } from "../../platform/stamps.js";
import type { LateSpan, LateWindows } from "../operations/measurement-ports.js";
import { CONCERNED_FROM, CONCERNED_UNTIL, KNOWN_FROM } from "./late-readings.js";

/** Late readings of this period concern a dispatch of the site, from `opensMs` on. */
interface Window {
  readonly opensMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

interface WindowRow {
  readonly site: string;
  readonly opens_at: Date;
  readonly from_at: Date;
  /** null: open. */
  readonly to_at: Date | null;
}

/** For some 250,000 sites. */
const MOST_BYTES = 64 * 1024 * 1024;
const SITE_BYTES = 180;
const WINDOW_BYTES = 80;

/** The windows of each site, read once until a dispatch changes. */
export const lateWindows = (db: Queryable, readStamps: ReadStamps, clock: Clock): LateWindows => {
  const memory = new FreshMemory<readonly Window[]>({
    load: (sites) => loadWindows(db, sites, clock.now()),
    bytesOf: (windows) => SITE_BYTES + windows.length * WINDOW_BYTES,
    mostBytes: MOST_BYTES,
  });
  const stamps = new DispatchStamps(readStamps);
  return {
    async concerned(spans, mostAgeMs) {
      const stamp = await stamps.read(mostAgeMs);
      // Without a stamp the tables are asked.
      if (stamp === null) return { stamp, spans };
      const windows = await Promise.all(spans.map(({ site }) => memory.find(`${site}`, stamp)));
      const nowMs = clock.now().getTime();
      return { stamp, spans: spans.filter((span, index) => isIn(span, windows[index] ?? [], nowMs)) };
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

const isIn = (span: LateSpan, windows: readonly Window[], nowMs: number): boolean =>
  windows.some(({ opensMs, fromMs, toMs }) => opensMs <= nowMs && fromMs <= span.toMs && toMs >= span.fromMs);

/** One window for all dispatches of a site that have begun, which nearly always overlap, and one for each later start. */
const loadWindows = async (
  db: Queryable,
  sites: readonly string[],
  now: Date,
): Promise<ReadonlyArray<readonly Window[]>> => {
  const { rows } = await db.query<WindowRow>({
    name: "late-windows",
    text: `select sites.key::text as site, min(${KNOWN_FROM}) as opens_at, min(${CONCERNED_FROM}) as from_at,
             case when bool_and(end_time is not null) then max(${CONCERNED_UNTIL}) end as to_at
           from sites
           join dispatch_sites as called on called.site_id = sites.id
           join dispatches on dispatches.id = called.dispatch_id
           where sites.key = any($1::int[]) and ${IS_EVENT}
           group by sites.key, case when ${KNOWN_FROM} > $2 then start_time end`,
    values: [sites, now],
  });
  return rowsOfEach(sites, rows, { keyOf: ({ site }) => site, fromRow: windowFromRow });
};

const windowFromRow = ({ opens_at, from_at, to_at }: WindowRow): Window => ({
  opensMs: opens_at.getTime(),
  fromMs: from_at.getTime(),
  toMs: to_at?.getTime() ?? Number.POSITIVE_INFINITY,
});
