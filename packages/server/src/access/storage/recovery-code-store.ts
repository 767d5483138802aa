import type { Queryable } from "../../platform/database/database.js";
import { readNumber } from "../../platform/database/read.js";
import type { RecoveryCodeStore } from "../operations/user-ports.js";

export const recoveryCodeStore = (db: Queryable): RecoveryCodeStore => ({
  async replace(userId, codeHashes) {
    await db.query("delete from recovery_codes where user_id = $1", [userId]);
    await db.query("insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])", [
      userId,
      codeHashes,
    ]);
  },
  async use(userId, codeHash, at) {
    // If the same code is used twice at once, the second waits for the first and finds it used.
    const { rowCount } = await db.query(
      "update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null",
      [userId, codeHash, at],
    );
    return rowCount === 1;
  },
  left: (userId) =>
    readNumber(db, "count", "select count(*) as count from recovery_codes where user_id = $1 and used_at is null", [
      userId,
    ]),
});
