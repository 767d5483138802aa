import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst, readPage } from "../../platform/database/read.js";
import { idleSince, type Session } from "../domain/session.js";
import type { SessionStore } from "../operations/user-ports.js";
import { type StandingRow, standingColumns, standingOf } from "./user-store.js";

const sessionRow = selection("sessions", [
  "id",
  "user_id",
  "created_at",
  "last_seen_at",
  "expires_at",
  "revoked_at",
  "end_reason",
  "user_agent",
  "address",
]);
type SessionRow = RowOf<typeof sessionRow>;

const fromRow = (row: SessionRow): Session => {
  const { endReason: revokedFor, ...session } = sessionRow.camel(row);
  return { ...session, revokedFor };
};

/** A session's columns with its user's, aliased if both have the name. */
type FoundRow = StandingRow &
  Omit<SessionRow, "id" | "created_at"> & { readonly session_id: string; readonly session_created_at: Date };

const foundFrom = (row: FoundRow) => ({
  ...standingOf(row),
  session: fromRow({ ...row, id: row.session_id, created_at: row.session_created_at }),
});

export const sessionStore = (db: Queryable): SessionStore => ({
  async insert({ id, userId, createdAt, lastSeenAt, expiresAt, userAgent, address }, tokenHash) {
    await db.query(
      `insert into sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at, user_agent, address)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, tokenHash, userId, createdAt, lastSeenAt, expiresAt, userAgent, address],
    );
  },
  find: (tokenHash) =>
    readFirst(db, foundFrom, {
      name: "find-session",
      text: `select ${standingColumns},
               sessions.id as session_id, sessions.created_at as session_created_at, user_id, last_seen_at, expires_at,
               revoked_at, end_reason, user_agent, address
             from sessions join users on users.id = sessions.user_id left join accounts on accounts.id = users.account_id
             where sessions.token_hash = $1`,
      values: [tokenHash],
    }),
  async touch(id, now) {
    await db.query("update sessions set last_seen_at = $2 where id = $1 and last_seen_at < $2", [id, now]);
  },
  list: (userId, now, page) =>
    readPage(db, page, fromRow, {
      text: `select * from sessions
       where user_id = $3 and revoked_at is null and expires_at > $4 and last_seen_at > $5
         and ($1::bigint is null or seq < $1)
       order by seq desc limit $2`,
      values: [userId, now, idleSince(now)],
    }),
  // The right sides refer to the old row: the first end stays.
  revoke: (userId, id, { at, reason }) =>
    readFirst(db, fromRow, {
      text: `update sessions set revoked_at = coalesce(revoked_at, $3),
         end_reason = case when revoked_at is null then $4 else end_reason end
       where user_id = $1 and id = $2 returning *`,
      values: [userId, id, at, reason],
    }),
  async revokeAll(userId, { at, reason }, except) {
    await db.query(
      `update sessions set revoked_at = $2, end_reason = $4
       where user_id = $1 and revoked_at is null and id is distinct from $3`,
      [userId, at, except, reason],
    );
  },
});
