import type { Queryable } from "../../platform/database/database.js";
import { hasSeen } from "../../platform/database/follower-store.js";
import { readNumber } from "../../platform/database/read.js";
import { OUTSIDE_BROKER } from "../operations/broker-conditions.js";
import type { ClientVolume } from "../operations/client-volume.js";
import { CALLBACKS } from "../operations/queue-notifications.js";

export const clientVolume = (db: Queryable): ClientVolume => ({
  countOf: (clientId, type, atMost) =>
    readNumber(db, "count", {
      name: "openadr3-objects-of-client",
      text: `select count(*)::int from (
               select from openadr3_objects where client_id = $1 and object_type = $2 and source is null limit $3) as own`,
      values: [clientId, type, atMost],
    }),
  addReport: (clientId, bytes) =>
    readNumber(db, "bytes", {
      name: "openadr3-add-report",
      text: `insert into openadr3_report_sizes as sizes (client_id, bytes) values ($1, $2)
             on conflict (client_id) do update set bytes = sizes.bytes + excluded.bytes returning bytes`,
      values: [clientId, bytes],
    }),
  async dropOldReports(clientId, keepBytes) {
    // Sizes are added up as reports are written, and counted here, where deleted ones are gone.
    await db.query(
      `with sized as materialized (
         select id, sum(octet_length(body::text)) over (order by modified_at desc, seq desc) as bytes
         from openadr3_objects where client_id = $1 and object_type = 'REPORT'
       ), dropped as (
         delete from openadr3_objects where id in (select id from sized where bytes > $2)
       )
       update openadr3_report_sizes set bytes = (select coalesce(max(bytes), 0) from sized where bytes <= $2)
       where client_id = $1`,
      [clientId, keepBytes],
    );
  },
  addChange: (clientId, bytes) =>
    readNumber(db, "bytes", {
      name: "openadr3-add-change",
      text: `insert into openadr3_change_sizes as sizes (client_id, bytes) values ($1, $2)
             on conflict (client_id) do update set bytes = sizes.bytes + excluded.bytes returning bytes`,
      values: [clientId, bytes],
    }),
  async dropOldChanges(clientId, { bytes, isPublished, writtenBefore, withDue }) {
    await db.query(
      `with sized as materialized (
         select seq, sum(octet_length(object::text)) over (order by seq desc) as bytes
         from openadr3_changes where written_by = $1
       ), locked as materialized (
         -- Skips those that another process is removing.
         select seq, at < $5 and ${hasSeen(CALLBACKS, "openadr3_changes")}
           and (${hasSeen(OUTSIDE_BROKER, "openadr3_changes")} or not $3) as is_told
         from openadr3_changes where seq in (select seq from sized where bytes > $2)
         order by seq for update skip locked
       ), dropped as materialized (
         select seq from locked where $4 or (is_told and not exists (
           select from passing_messages where change_seq = locked.seq and state = 'pending'))
       ), notifications as (
         delete from passing_messages where change_seq in (select seq from dropped)
       ), changes as (
         delete from openadr3_changes where seq in (select seq from dropped)
       )
       update openadr3_change_sizes set bytes = (select coalesce(max(bytes), 0) from sized where bytes <= $2)
       where client_id = $1`,
      [clientId, bytes, isPublished, withDue, writtenBefore],
    );
  },
});
