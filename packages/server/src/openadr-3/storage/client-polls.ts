import type { UsualPollArchive } from "../../openadr/operations/note-usual-polls.js";
import { usualPollStore } from "../../openadr/storage/usual-polls.js";
import type { Queryable } from "../../platform/database/database.js";

export const clientPollStore = (db: Queryable): UsualPollArchive =>
  usualPollStore(db, { table: "openadr3_polls", column: "client_id", of: "openadr3_clients" });
