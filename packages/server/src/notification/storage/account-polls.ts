import type { UsualPollArchive } from "../../openadr/operations/note-usual-polls.js";
import { usualPollStore } from "../../openadr/storage/usual-polls.js";
import type { Queryable } from "../../platform/database/database.js";

export const accountPollStore = (db: Queryable): UsualPollArchive =>
  usualPollStore(db, { table: "account_polls", column: "account_id", of: "accounts" });
