import type { Cursor, JournalEntry, JournalKind } from "../journal.js";
import type { Row } from "./columns.js";
import type { Queryable } from "./database.js";

/** What a reader of a stream found. */
interface ReadRows<R> {
  /** In order of `seq`: those of one subject in that of their commits. */
  readonly rows: readonly R[];
  /** To be read from next. */
  readonly cursor: Cursor;
  /** Whether there are more of the same backlog. */
  readonly hasMore: boolean;
  /** When the server started: differs after a failover, also behind a pooler. */
  readonly serverStart: string;
}

/** A table that is appended to, with `seq` and `xid` (`pg_current_xact_id()`), the latter with an index. */
interface Stream {
  /** Of the statement. */
  readonly name: string;
  readonly table: string;
  /** Those that are read, with `seq`. */
  readonly columns: string;
  /** On a row, with parameters from `$5` on. */
  readonly condition: string;
}

interface Reading {
  /** null: all. */
  readonly kinds: readonly JournalKind[] | null;
  /** Entries of a page. */
  readonly most: number;
}

interface Head {
  readonly page: string;
  readonly server_start: string;
}
type Found<R> = (R & Head) | ({ readonly seq: null } & Head);

/** A cursor to which everything committed so far is known. */
export const cursorAt = (seen: string): Cursor => ({ seen, page: null, pageAfter: 0 });

/**
 * Reads what was committed after the cursor and before the statement, each row once, however long its transaction was open.
 * In a transaction of its own that appends, its rows may or may not be new to this cursor; to others they are.
 *
 * @param cursor null: from now on
 * @param values of the stream's condition
 */
export const readStream = async <R extends { readonly seq: number }>(
  db: Queryable,
  stream: Stream,
  cursor: Cursor | null,
  { most, values }: { readonly most: number; readonly values: readonly unknown[] },
): Promise<ReadRows<R>> => {
  const { rows: all } = await db.query<Found<R>>({
    name: stream.name,
    text: unseenIn(stream),
    values: [cursor?.seen, cursor?.page, cursor?.pageAfter ?? 0, most + 1, ...values],
  });
  const found = all.filter((row): row is R & Head => row.seq !== null);
  const rows = found.slice(0, most);
  const [{ page, server_start: serverStart } = NO_ROW] = all;
  const last = rows.at(-1);
  if (found.length === rows.length || last === undefined || cursor === null)
    return { rows, cursor: cursorAt(page), hasMore: false, serverStart };
  return { rows, cursor: { seen: cursor.seen, page, pageAfter: last.seq }, hasMore: true, serverStart };
};

/** Each half uses the index on xid: with an upper bound it is expected to find few, whatever the snapshot is. */
const unseenIn = ({ table, columns, condition }: Stream): string => `
  select page::text, pg_postmaster_start_time()::text as server_start, entry.*
  from (select coalesce($2::pg_snapshot, pg_current_snapshot()) as page) as until
  left join lateral (
    select ${columns} from (
      select * from ${table} where xid between pg_snapshot_xmax($1::pg_snapshot) and '18446744073709551615'
      union all
      select * from ${table} where xid = any(array(select pg_snapshot_xip($1::pg_snapshot)))
    ) as ${table}
    where seq > $3 and ${condition} and pg_visible_in_snapshot(xid, page)
    order by seq limit $4
  ) as entry on true`;

/** The statement always returns a row. */
const NO_ROW = { page: "", server_start: "" };

type EntryRow = Row<"journal", "seq" | "at" | "kind" | "subject" | "ref" | "accounts"> &
  Pick<JournalEntry, "environment">;

/** Columns of an entry. */
export const ENTRY = "seq, environment, at, kind, subject, ref, accounts";

const JOURNAL: Stream = {
  name: "read-journal",
  table: "journal",
  columns: ENTRY,
  condition: "($5::text[] is null or kind = any($5))",
};

export const READ = unseenIn(JOURNAL);

/** Reads entries of the journal, as `readStream`. */
export const readJournal = async (db: Queryable, cursor: Cursor | null, { kinds, most }: Reading) => {
  const { rows, ...read } = await readStream<EntryRow>(db, JOURNAL, cursor, { most, values: [kinds] });
  return { ...read, entries: rows.map(entryFrom) };
};

const entryFrom = ({ seq, environment, at, kind, subject, ref, accounts }: EntryRow): JournalEntry => ({
  seq,
  environment,
  at,
  kind,
  subject,
  ref,
  accounts,
});
