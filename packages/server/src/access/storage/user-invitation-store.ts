import { selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst } from "../../platform/database/read.js";
import type { InvitationStore } from "../operations/user-ports.js";

const invitationRow = selection("user_invitations", ["user_id", "created_at", "expires_at"]);

export const invitationStore = (db: Queryable): InvitationStore => ({
  async insert({ userId, createdAt, expiresAt }, tokenHash) {
    await db.query(
      "insert into user_invitations (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)",
      [tokenHash, userId, createdAt, expiresAt],
    );
  },
  // Locked: if the link is used twice at once, only one sets the password.
  findUnused: (tokenHash, now) =>
    readFirst(db, invitationRow.camel, {
      text: "select * from user_invitations where token_hash = $1 and used_at is null and expires_at > $2 for update",
      values: [tokenHash, now],
    }),
  async use(tokenHash, now) {
    await db.query("update user_invitations set used_at = $2 where token_hash = $1", [tokenHash, now]);
  },
  async useAll(userId, now) {
    await db.query("update user_invitations set used_at = $2 where user_id = $1 and used_at is null", [userId, now]);
  },
});
