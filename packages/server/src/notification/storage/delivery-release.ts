import type { Queryable } from "../../platform/database/database.js";
import { replaceSetting } from "../../platform/database/setting-store.js";

const NAME = "delivery_released";

/** Noted when a restored service may send: what waited for it has its full time from then on. */
export const noteRelease = (db: Queryable, at: Date): Promise<void> => replaceSetting(db, NAME, at.toISOString());

/**
 * Since when a row waits to be sent, by the column of its creation; the time in which delivery was held does not count.
 *
 * @param until when a row waited no longer: a later release does not change what it is
 */
export const waitsSince = (createdAt: string, until = "'infinity'"): string =>
  `greatest(${createdAt}, (select value::timestamptz from settings
    where name = '${NAME}' and value::timestamptz <= ${until}))`;
