import type { Queryable } from "../../platform/database/database.js";
import type { ReadingStore } from "../operations/import-ports.js";
import { findHourType, rowsOf, upsertPasses } from "./upsert-hours.js";

/** Stores readings over the connection of a transaction. */
export const readingStore = (db: Queryable): ReadingStore => {
  let oid: Promise<number> | undefined;
  return {
    async store(readings) {
      oid ??= findHourType(db);
      for (const pass of upsertPasses(rowsOf([readings]), await oid)) await pass(db);
    },
  };
};
