import type { Cursor, JournalEntry, JournalKind } from "../journal.js";
import type { Row } from "./columns.js";
import type { Queryable } from "./database.js";

interface ReadEntries {
  /** In order of `seq`: those of one subject in that of their commits. */
  readonly entries: readonly JournalEntry[];
  /** To be read from next. */
  readonly cursor: Cursor;
  /** Whether there are more of the same backlog. */
  readonly hasMore: boolean;
  /** When the server started: differs after a failover, also behind a pooler. */
  readonly serverStart: string;
}

interface Reading {
  /** null: all. */
  readonly kinds: readonly JournalKind[] | null;
  /** Entries of a page. */
  readonly most: number;
}

type EntryRow = Row<"journal", "seq" | "at" | "kind" | "subject" | "ref" | "accounts"> &
  Pick<JournalEntry, "environment">;
type ReadRow = (EntryRow | { readonly seq: null }) & { readonly page: string; readonly server_start: string };

/** A cursor to which everything committed so far is known. */
export const cursorAt = (seen: string): Cursor => ({ seen, page: null, pageAfter: 0 });

/**
 * Reads what was committed after the cursor and before the statement, each entry once, however long its transaction was
 * open. In a transaction of its own that appends, its entries may or may not be new to this cursor; to others they are.
 *
 * @param cursor null: from now on
 */
export const readJournal = async (
  db: Queryable,
  cursor: Cursor | null,
  { kinds, most }: Reading,
): Promise<ReadEntries> => {
  const { rows } = await db.query<ReadRow>({
    name: "read-journal",
    text: READ,
    values: [cursor?.seen, cursor?.page, cursor?.pageAfter ?? 0, kinds, most + 1],
  });
  const found = rows.flatMap((row) => (row.seq === null ? [] : [entryFrom(row)]));
  const entries = found.slice(0, most);
  const [{ page, server_start: serverStart } = NO_ROW] = rows;
  const last = entries.at(-1);
  if (found.length === entries.length || last === undefined || cursor === null)
    return { entries, cursor: cursorAt(page), hasMore: false, serverStart };
  return { entries, cursor: { seen: cursor.seen, page, pageAfter: last.seq }, hasMore: true, serverStart };
};

/** Each half uses the index on xid: with an upper bound it is expected to find few, whatever the snapshot is. */
export const READ = `
  select page::text, pg_postmaster_start_time()::text as server_start, seq, environment, at, kind, subject, ref, accounts
  from (select coalesce($2::pg_snapshot, pg_current_snapshot()) as page) as until
  left join lateral (
    select seq, environment, at, kind, subject, ref, accounts from (
      select seq, xid, environment, at, kind, subject, ref, accounts from journal
      where xid between pg_snapshot_xmax($1::pg_snapshot) and '18446744073709551615'
      union all
      select seq, xid, environment, at, kind, subject, ref, accounts from journal
      where xid = any(array(select pg_snapshot_xip($1::pg_snapshot)))
    ) as unseen
    where seq > $3 and ($4::text[] is null or kind = any($4)) and pg_visible_in_snapshot(xid, page)
    order by seq limit $5
  ) as entry on true`;

/** The statement always returns a row. */
const NO_ROW = { page: "", server_start: "" };

const entryFrom = ({ seq, environment, at, kind, subject, ref, accounts }: EntryRow): JournalEntry => ({
  seq,
  environment,
  at,
  kind,
  subject,
  ref,
  accounts,
});
