import { oneShard } from "../../platform/database/shard-statement.js";
import type { OfSite } from "../../platform/database/shards.js";
import { decodeColumns, type LogBatch } from "./log-batch.js";
import { MOST_BATCHES, MOST_READINGS } from "./log-page.js";

/** A row of what is stored; what its members mean is the statement's own. */
export interface StoredRecord extends OfSite {
  readonly meter: number;
  readonly place: number;
  readonly version: string | null;
  readonly content: string | null;
}

/** In place of a site: rows of the log, and the row that says what the statement saw. */
const BATCH = -1;
const SEEN = -2;

const isUnseen = (known: string): string =>
  `xid >= coalesce(pg_snapshot_xmin(${known}::pg_snapshot), '0')
    and pg_visible_in_snapshot(xid, ${known}::pg_snapshot) is not true
    and xid >= (select folded_below from telemetry_log_state)`;

/** Rows of a page of the batches that meet a condition, whose bytes alone are read. */
const logRows = (condition: string): string => `
  select ${BATCH} as site, 0 as meter, 0 as place,
    concat_ws(' ', xid, seq, floor(extract(epoch from at) * 1000), until, count) as version,
    encode(readings, 'base64') as content
  from (
    select *, sum(count) over (order by xid, seq rows unbounded preceding) as until
    from (select * from telemetry_log where ${condition} order by xid, seq limit ${MOST_BATCHES}) as first
  ) as unseen
  where until - count < ${MOST_READINGS}
  union all
  select ${SEEN}, 0, 0, pg_current_snapshot()::text,
    json_build_object('foldedBelow', folded_below::text, 'own', pg_current_xact_id_if_assigned()::text,
      'serverStart', pg_postmaster_start_time(), 'nowMs', floor(extract(epoch from now()) * 1000))::text
  from telemetry_log_state`;

/** What a statement returns of the log, as further rows: a page of the batches that the snapshot in the parameter did not see. */
export const unseenRows = (known: string): string => logRows(isUnseen(known));

/**
 * The page after a batch, of what one snapshot did not see and another one saw.
 *
 * $1 is what is known, $2 the other snapshot, null for the statement's own, $3 and $4 the batch.
 */
export const LOG_PAGE = oneShard("log-page", () =>
  logRows(`${isUnseen("$1")} and (xid, seq) > ($3::xid8, $4::bigint)
    and pg_visible_in_snapshot(xid, coalesce($2::pg_snapshot, pg_current_snapshot()))`),
);

/** What a statement says it saw, beside its snapshot. */
interface SeenText {
  readonly foldedBelow: string;
  /** The transaction of the statement, if it has written something. */
  readonly own: string | null;
  readonly serverStart: string;
  readonly nowMs: number;
}

export interface LogSeen extends Pick<SeenText, "serverStart" | "nowMs"> {
  /** The text of its snapshot. */
  readonly snapshot: string;
  readonly foldedBelow: number;
  readonly own: number | null;
}

/** Where a batch stands among all. */
export interface BatchPlace {
  readonly xid: string;
  readonly seq: string;
}

/** The rows of a statement, by what they are. */
export interface LoggedRows {
  readonly records: readonly StoredRecord[];
  readonly batches: readonly StoredRecord[];
  readonly seen: LogSeen;
  /** The last batch, if there may be more. */
  readonly goesOnAfter: BatchPlace | null;
}

export const loggedRows = (rows: readonly StoredRecord[]): LoggedRows => {
  const batches = rows.filter(({ site }) => site === BATCH);
  const row = rows.findLast(({ site }) => site === SEEN);
  if (row === undefined) throw new Error("the log of readings does not say what it has; run the migrations");
  return {
    records: rows.filter(({ site }) => site !== BATCH && site !== SEEN),
    batches,
    seen: seenOf(row),
    goesOnAfter: goesOnAfter(batches),
  };
};

const seenOf = ({ version, content }: StoredRecord): LogSeen => {
  const { foldedBelow, own, serverStart, nowMs } = JSON.parse(content ?? "null") as SeenText;
  return {
    snapshot: version ?? "",
    foldedBelow: Number(foldedBelow),
    own: own === null ? null : Number(own),
    serverStart,
    nowMs,
  };
};

const goesOnAfter = (batches: readonly StoredRecord[]): BatchPlace | null => {
  const [xid = "", seq = "", , until] = (batches.at(-1)?.version ?? "").split(" ");
  return batches.length >= MOST_BATCHES || Number(until) >= MOST_READINGS ? { xid, seq } : null;
};

export const xidOf = ({ version }: StoredRecord): number => Number.parseInt(version ?? "", 10);

export const batchOf = ({ version, content }: StoredRecord): LogBatch => {
  const [xid = 0, seq = 0, atMs = 0, , count = 0] = (version ?? "").split(" ").map(Number);
  return { xid, seq, atMs, ...decodeColumns(count, Buffer.from(content ?? "", "base64")) };
};
