import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Placed } from "../../platform/database/page.js";
import { countRows } from "../../platform/database/read.js";
import type { LoggedRequests } from "../domain/request-log.js";
import { FIRST_ERROR_STATUS, minuteOf } from "../domain/request-log.js";
import type { RequestArchive, RequestLogStore } from "../operations/log-requests.js";

const requestRow = selection("request_log", [
  "account_id",
  "key_id",
  "at",
  "method",
  "path",
  "status",
  "message",
  "count",
  "total_ms",
  "max_ms",
  "is_sum",
]);
type RequestRow = Placed<RowOf<typeof requestRow>>;

export const requestLogStore = (db: Queryable): RequestLogStore => ({
  async list(accountId, { status, since }, { after, limit }) {
    const { rows } = await db.query<RequestRow>(
      `select * from request_log
       where account_id = $1 and ($2::boolean is null or (status >= ${FIRST_ERROR_STATUS}) = $2)
         and ($3::timestamptz is null or (at, seq) < ($3, $4::bigint))
         and ($5::timestamptz is null or (at >= $6 and (is_sum or at >= $5)))
       order by at desc, seq desc limit $7`,
      [
        accountId,
        status === null ? null : status === "error",
        after?.at,
        after?.seq,
        since,
        since === null ? null : new Date(minuteOf(since)),
        limit + 1,
      ],
    );
    const last = rows[limit - 1];
    const next = rows.length > limit && last !== undefined ? { at: last.at, seq: last.seq } : null;
    return { items: rows.slice(0, limit).map(requestRow.camel), next };
  },
});

export const requestArchive = (db: Queryable): RequestArchive => ({
  async add(requests) {
    await db.query({
      name: "log-requests",
      text: `insert into request_log
               (account_id, key_id, at, method, path, status, message, count, total_ms, max_ms, is_sum)
             select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::int[], $7::text[],
               $8::int[], $9::float8[], $10::float8[], $11::boolean[])
             on conflict (key_id, at, method, path, status) where is_sum do update
             set count = request_log.count + excluded.count, total_ms = request_log.total_ms + excluded.total_ms,
               max_ms = greatest(request_log.max_ms, excluded.max_ms), message = excluded.message`,
      values: columnsOf(requests),
    });
  },
  // Skips rows that another process is removing.
  removeBefore: (before, limit) =>
    countRows(db, {
      text: `delete from request_log where seq in (
         select seq from request_log where at < $1 order by at limit $2 for update skip locked)`,
      values: [before, limit],
    }),
});

const columnsOf = (requests: readonly LoggedRequests[]): unknown[] => [
  requests.map(({ accountId }) => accountId),
  requests.map(({ keyId }) => keyId),
  requests.map(({ at }) => at),
  requests.map(({ method }) => method),
  requests.map(({ path }) => path),
  requests.map(({ status }) => status),
  requests.map(({ message }) => message),
  requests.map(({ count }) => count),
  requests.map(({ totalMs }) => totalMs),
  requests.map(({ maxMs }) => maxMs),
  requests.map(({ isSum }) => isSum),
];
