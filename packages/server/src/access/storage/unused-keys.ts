import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";

/** A key that still opens the service and that nobody uses. */
export interface UnusedKey {
  readonly id: string;
  readonly accountName: string;
  /** null: never. */
  readonly lastUsedAt: Date | null;
}

interface UnusedRow {
  readonly id: string;
  readonly name: string;
  readonly last_used_at: Date | null;
}

/** Keys of enabled accounts that are valid at `now`, were claimed before `since` and not used after it; the longest unused first. */
export const unusedKeys = (db: Queryable, since: Date, now: Date): Promise<readonly UnusedKey[]> =>
  readAll(db, ({ id, name, last_used_at }: UnusedRow) => ({ id, accountName: name, lastUsedAt: last_used_at }), {
    text: `select api_keys.id, accounts.name, last_used_at from api_keys join accounts on accounts.id = account_id
     where claimed_at < $1 and coalesce(last_used_at, claimed_at) < $1 and revoked_at is null
       and (expires_at is null or expires_at > $2) and not accounts.disabled
     order by coalesce(last_used_at, claimed_at), api_keys.id`,
    values: [since, now],
  });
