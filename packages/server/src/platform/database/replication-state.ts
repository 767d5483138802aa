import type { ReplicationState } from "../standbys.js";
import type { Queryable } from "./database.js";

/** A primary's standbys and archive; null: this role may not see them, for which it needs pg_monitor. */
export const replicationState = async (db: Queryable): Promise<ReplicationState | null> => {
  const { rows } = await db.query<ReplicationState & { sees: boolean }>(READ);
  const [state] = rows;
  if (state === undefined) throw new Error("the database did not return the state of its standbys");
  const { sees, ...seen } = state;
  return sees || seen.standbys.length === 0 ? seen : null;
};

/** A base backup streams, too, and is no standby. For a logical slot, the primary keeps its log as for a standby. */
const READ = `select current_setting('synchronous_standby_names') as asked,
  pg_has_role(current_user, 'pg_read_all_stats', 'usage') as sees,
  (select coalesce(json_agg(json_build_object(
     'name', application_name, 'streams', coalesce(state = 'streaming', false),
     'isSynchronous', coalesce(sync_state in ('sync', 'quorum'), false),
     'lagBytes', coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0)) order by pid), '[]')
   from pg_stat_replication where state is distinct from 'backup') as standbys,
  (select coalesce(json_agg(json_build_object(
     'name', slot_name, 'keptBytes', coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)) order by slot_name), '[]')
   from pg_replication_slots where not temporary) as slots,
  (select json_build_object('file', last_failed_wal,
     'seconds', extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset))::float8)
   from pg_stat_archiver
   where last_failed_time > coalesce(last_archived_time, '-infinity') and current_setting('archive_mode') <> 'off') as archiving`;
