import type { Queryable } from "../../platform/database/database.js";
import { matchesOne, readNumber } from "../../platform/database/read.js";
import type { RecoveryCodeStore } from "../operations/user-ports.js";

export const recoveryCodeStore = (db: Queryable): RecoveryCodeStore => ({
  async replace(userId, codeHashes) {
    await db.query("delete from recovery_codes where user_id = $1", [userId]);
    await db.query("insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])", [
      userId,
      codeHashes,
    ]);
  },
  // If the same code is used twice at once, the second waits for the first and finds it used.
  use: (userId, codeHash, at) =>
    matchesOne(db, {
      text: "update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null",
      values: [userId, codeHash, at],
    }),
  left: (userId) =>
    readNumber(db, "count", "select count(*) as count from recovery_codes where user_id = $1 and used_at is null", [
      userId,
    ]),
});
