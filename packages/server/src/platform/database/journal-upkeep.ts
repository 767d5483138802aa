import type pg from "pg";
import type { PrunedRows } from "../pruning.js";
import type { Queryable } from "./database.js";
import { isPaged } from "./follower-store.js";
import { patientClient } from "./migrate.js";
import { readFirst } from "./read.js";

/** A follower that is behind this far is rebuilt from the state instead. */
export const JOURNAL_KEPT_DAYS = 30;

/** Entries of the journal, except those that some follower has not seen. */
export const oldEntries = (db: Queryable): PrunedRows => ({
  removeSome: ({ after, before, limit }) =>
    readFirst(db, ({ last }: { last: number | null }) => last, {
      name: "prune-journal",
      // Skips rows that another process is removing.
      text: `with old as materialized (
               select seq, xid from journal where seq > $1 and at < $2 order by seq limit $3 for update skip locked
             ), removed as (
               delete from journal where seq in (
                 select seq from old
                 where not exists (
                   select from followers where stream = 'journal' and not pg_visible_in_snapshot(old.xid, seen)))
             )
             select max(seq) as last from old`,
      values: [after, before, limit],
    }),
});

/** Whether the cluster has yet to give out numbers of transactions that the journal, or a cursor, has already. */
const IS_AHEAD = `
  exists (select from journal where xid >= pg_snapshot_xmax(pg_current_snapshot()))
  or exists (select from telemetry_log where xid >= pg_snapshot_xmax(pg_current_snapshot()))
  or exists (select from telemetry_log_state where folded_below > pg_snapshot_xmax(pg_current_snapshot()))
  or exists (select from openadr3_changes where xid >= pg_snapshot_xmax(pg_current_snapshot()))
  or exists (select from followers
    where greatest(pg_snapshot_xmax(seen), pg_snapshot_xmax(page)) > pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * Carries the cursors of followers over into the cluster that a dump was restored in, if it is younger: numbers of its
 * transactions would count as seen long ago, so that new entries were lost. Afterwards each follower has seen what it had
 * seen before, and nothing else. Call before serving; returns whether that was needed. Older clusters need nothing, as
 * their numbers are greater than all that were recorded.
 */
export const adoptJournal = async (pool: pg.Pool): Promise<boolean> => {
  if (!(await isAhead(pool))) return false;
  // Of millions of changes it takes longer than a statement may.
  const client = await patientClient(pool);
  try {
    await client.query("begin");
    // Another process may have begun at the same time.
    await client.query("lock table followers in exclusive mode");
    const isNeeded = await isAhead(client);
    if (isNeeded) {
      await client.query(ADOPT);
      await client.query(ADOPT_LOG);
    }
    await client.query("commit");
    return isNeeded;
  } finally {
    await client.end();
  }
};

const isAhead = async (db: Queryable): Promise<boolean> => {
  const { rows } = await db.query<{ is_ahead: boolean }>(`select ${IS_AHEAD} as is_ahead`);
  return rows[0]?.is_ahead === true;
};

/** Of the first transaction of each cluster, which every cursor has seen. */
export const SEEN_BY_ALL = "'3'";

/** What the log of readings has is not folded, and older than all that is appended from now on; `seq` keeps its order. It is folded at once. */
const ADOPT_LOG = `
  with log as (update telemetry_log set xid = ${SEEN_BY_ALL}::xid8, at = (select min(at) from telemetry_log))
  update telemetry_log_state set folded_below = '0'`;

/** Transactions that every cluster had before it could be used: those after the first stand for what some follower has not seen. */
const ADOPT = `
  with entries as (
    select 'journal' as stream, seq, xid from journal union all select 'openadr3_changes', seq, xid from openadr3_changes
  ), unseen as materialized (
    -- By which followers; by none: the empty list comes first.
    select entries.stream, seq, coalesce(array_agg(name order by name) filter (where name is not null), '{}') as followers
    from entries left join followers on followers.stream = entries.stream and not pg_visible_in_snapshot(xid, seen)
      and not ${isPaged("entries")}
    group by entries.stream, seq
  ), sets as (
    select '{}'::text[] as followers union select followers from unseen
  ), labels as materialized (
    select followers, 2 + row_number() over (order by followers) as label from sets
  ), relabelled as (
    update journal set xid = label::text::xid8 from unseen join labels using (followers)
    where stream = 'journal' and journal.seq = unseen.seq
  ), changes as (
    update openadr3_changes as changes set xid = label::text::xid8 from unseen join labels using (followers)
    where stream = 'openadr3_changes' and changes.seq = unseen.seq
  )
  -- As if the transactions that a follower has not seen were still open.
  update followers set page = null, page_after = null, seen = concat_ws(':',
    coalesce(labels[1]::text, pg_snapshot_xmin(now)::text), pg_snapshot_xmax(now),
    array_to_string(labels::text[] || array(select pg_snapshot_xip(now)::text), ','))::pg_snapshot
  from (
    select name, pg_current_snapshot() as now,
      array(select label from labels where name = any(labels.followers) order by label) as labels
    from followers
  ) as known
  where followers.name = known.name`;
