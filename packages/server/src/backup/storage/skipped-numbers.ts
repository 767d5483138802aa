import type { Queryable } from "../../platform/database/database.js";

/** Numbers of entities in earlier versions of the interface. */
const DATED_NUMBERS = "public.dated_ids_number_seq";

/** More numbers than were given between a backup and its restore, and few enough for two thousand restores of an `int`. */
const SKIPPED_NUMBERS = 1_000_000n;

/** Numbers that were given after the backup keep their meaning: none is ever given to another entity. */
export const lastOf = (sequence: string, last: string): string =>
  sequence === DATED_NUMBERS ? String(BigInt(last) + SKIPPED_NUMBERS) : last;

/** The same for a database that was restored as a whole. */
export const skipNumbers = async (db: Queryable): Promise<void> => {
  await db.query(
    `select setval('dated_ids_number_seq', last_value + ${SKIPPED_NUMBERS}, is_called) from dated_ids_number_seq`,
  );
};
