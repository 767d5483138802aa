import type { Queryable } from "../../platform/database/database.js";
import { MAX_DEVICES } from "../domain/device.js";
import type { DeviceStore } from "../operations/user-ports.js";

export const deviceStore = (db: Queryable): DeviceStore => ({
  async isKnown(tokenHash, since, email) {
    const { rowCount } = await db.query(
      `select from devices join users on users.id = user_id
       where token_hash = $1 and last_used_at > $2 and ($3::text is null or lower(email) = lower($3))`,
      [tokenHash, since, email],
    );
    return rowCount !== 0;
  },
  async remember(userId, tokenHash, at) {
    await db.query(
      `insert into devices (token_hash, user_id, last_used_at) values ($1, $2, $3)
       on conflict (token_hash, user_id) do update set last_used_at = $3`,
      [tokenHash, userId, at],
    );
    await db.query(
      `delete from devices where user_id = $1 and token_hash not in (
         select token_hash from devices where user_id = $1 order by last_used_at desc limit ${MAX_DEVICES})`,
      [userId],
    );
  },
  async forget(userId, except) {
    await db.query("delete from devices where user_id = $1 and token_hash is distinct from $2", [userId, except]);
  },
});
