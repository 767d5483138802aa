import type { Journal, NewEntry } from "../journal.js";
import { traceOf } from "../trace-cause.js";
import { appended } from "./commits.js";
import type { Queryable } from "./database.js";

/** An entry that concerns more concerns any, so that none is large. */
export const MOST_ACCOUNTS = 50;

export const journal = (db: Queryable): Journal => ({
  async append(entries) {
    if (entries.length === 0) return;
    await db.query({
      name: "append-to-journal",
      text: `insert into journal (at, kind, subject, ref, accounts, trace)
             select at, kind, subject, ref, accounts, trace
             from jsonb_to_recordset($1::jsonb)
               as entry (place int, at timestamptz, kind text, subject text, ref bigint, accounts text[], trace text)
             order by place`,
      values: [JSON.stringify(entries.map(toRecord))],
    });
    appended(db, ...entries.map(({ kind }) => kind));
  },
});

const toRecord = ({ accounts, ...entry }: NewEntry, place: number) => ({
  ...entry,
  place,
  trace: traceOf(entry.kind, entry.subject),
  accounts: accounts !== undefined && accounts.length <= MOST_ACCOUNTS ? accounts : null,
});
