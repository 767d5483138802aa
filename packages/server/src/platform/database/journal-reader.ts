import type { Cursor, JournalEntry, JournalKind, StreamName } from "../journal.js";
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
  /** The stream's `also`. */
  readonly also: boolean;
}

/** A table that is appended to, with `seq` and `xid` (`pg_current_xact_id()`), the latter with an index. */
interface Stream {
  /** Of the statement. */
  readonly name: string;
  /** Or a selection from it, named as it is. */
  readonly table: string;
  /** Those that are read, with `seq`. */
  readonly columns: string;
  /** On a row, with parameters from `$5` on; default: all. */
  readonly condition?: string;
  /** What else is asked, true or not. */
  readonly also?: string;
}

interface Reading {
  /** Default: the journal. */
  readonly stream?: StreamName;
  /** null: all. */
  readonly kinds: readonly JournalKind[] | null;
  /** Entries of a page. */
  readonly most: number;
}

interface Head {
  readonly page: string;
  readonly server_start: string;
  readonly also: boolean | null;
}
type Found<R> = (R & Head) | ({ readonly seq: null } & Head);

/** What is visible to a statement, and to which server. */
interface Seen {
  readonly seen: string;
  readonly serverStart: string;
}

/** While this stays the same nothing was committed. It costs a third of a read. */
export const readSeen = async (db: Queryable): Promise<Seen> => {
  const { rows } = await db.query<Seen>({
    name: "read-seen",
    text: `select pg_current_snapshot()::text as seen, pg_postmaster_start_time()::text as "serverStart"`,
  });
  const [seen] = rows;
  if (seen === undefined) throw new Error("the statement always returns a row");
  return seen;
};

/** A cursor to which everything committed so far is known. */
export const cursorAt = (seen: string): Cursor => ({ seen, page: null, pageAfter: 0 });

/** A cursor as it is stored. */
export type CursorRow = Row<"followers", "seen" | "page" | "page_after">;

export const cursorFrom = ({ seen, page, page_after }: CursorRow): Cursor => ({
  seen,
  page,
  pageAfter: page_after ?? 0,
});

/** The values of a stored cursor, in the order of `CursorRow`. */
export const cursorValues = ({ seen, page, pageAfter }: Cursor) => [seen, page, page === null ? null : pageAfter];

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
  const isPage = cursor !== null && cursor.page !== null;
  const { rows: all } = await db.query<Found<R>>({
    name: isPage ? `${stream.name}-page` : stream.name,
    text: isPage ? pageIn(stream) : unseenIn(stream),
    values: [cursor?.seen, cursor?.page, cursor?.pageAfter ?? 0, most + 1, ...values],
  });
  const found = all.filter((row): row is R & Head => row.seq !== null).map(withoutHead);
  const rows = found.slice(0, most);
  const [{ page, server_start: serverStart, also } = NO_ROW] = all;
  const last = rows.at(-1);
  const read = { rows, serverStart, also: also === true };
  if (found.length === rows.length || last === undefined || cursor === null)
    return { ...read, cursor: cursorAt(page), hasMore: false };
  return { ...read, cursor: { seen: cursor.seen, page, pageAfter: last.seq }, hasMore: true };
};

const LAST_XID = "'18446744073709551615'";

/** SQL: the rows of a table that are not in a snapshot, in two halves. Each uses the index on xid: with an upper bound it is expected to find few. */
export const halvesSince = (table: string, snapshot: string): readonly string[] => [
  `select * from ${table} where xid between pg_snapshot_xmax(${snapshot}) and ${LAST_XID}`,
  `select * from ${table} where xid = any(array(select pg_snapshot_xip(${snapshot})))`,
];

/** Each half on its own: in the order of `seq`, the past would be looked through for what is new. */
export const newSince = (table: string, snapshot: string): string =>
  halvesSince(table, snapshot)
    .map((half) => `select * from (${half} offset 0) as half`)
    .join(" union all ");

const readFrom = ({ columns, condition = "true", also = "null" }: Stream, rows: string): string => `
  select page::text, pg_postmaster_start_time()::text as server_start, ${also} as also, entry.*
  from (select coalesce($2::pg_snapshot, pg_current_snapshot()) as page) as until
  left join lateral (
    select ${columns} from ${rows} and seq > $3 and ${condition} and pg_visible_in_snapshot(xid, page)
    order by seq limit $4
  ) as entry on true`;

const nameOf = (table: string): string => table.split(" ").at(-1) ?? table;

const unseenIn = (stream: Stream): string =>
  readFrom(stream, `(${newSince(stream.table, "$1::pg_snapshot")}) as ${nameOf(stream.table)} where true`);

/** Further pages go by `seq`: a long backlog is not looked through for each. */
const pageIn = (stream: Stream): string =>
  readFrom(stream, `${stream.table} where not pg_visible_in_snapshot(xid, $1::pg_snapshot)`);

/** The statement always returns a row. */
const NO_ROW: Head = { page: "", server_start: "", also: null };

const withoutHead = <R>({ page: _page, server_start: _start, also: _also, ...row }: R & Head): R => row as unknown as R;

/** Columns of an entry. */
export const ENTRY = "seq, environment, at, kind, subject, ref, accounts";

/** What a follower reads of each stream: changes of OpenADR 3 are the payload, and their own entries. */
export const ENTRIES: Readonly<Record<StreamName, string>> = {
  journal: "journal",
  openadr3_changes: `(
    select seq, xid, environment, at, text 'openadr3.change' as kind, object_id as subject, seq as ref, null::text[] as accounts
    from openadr3_changes) as openadr3_changes`,
};

const streamOf = (name: StreamName): Stream => ({
  name: `read-${name}`,
  table: ENTRIES[name],
  columns: ENTRY,
  condition: "($5::text[] is null or kind = any($5))",
});

export const READ = unseenIn(streamOf("journal"));

/** Reads entries of a stream, as `readStream`. */
export const readEntries = async (
  db: Queryable,
  cursor: Cursor | null,
  { stream = "journal", kinds, most }: Reading,
) => {
  const { rows, ...read } = await readStream<JournalEntry>(db, streamOf(stream), cursor, { most, values: [kinds] });
  return { ...read, entries: rows };
};

const TAIL: Stream = {
  name: "read-tail",
  table: ENTRIES.journal,
  columns: ENTRY,
  // Whoever asks for an answer does not pay for it.
  also: `case when $5::pg_snapshot is not null then exists (${newSince("openadr3_changes", "$5")}) end`,
};

/**
 * Reads all entries of the journal, and whether the other stream has anything new.
 *
 * @param changesSince a snapshot; null: the other stream is not asked for
 */
export const readTail = async (
  db: Queryable,
  cursor: Cursor | null,
  { most, changesSince }: { readonly most: number; readonly changesSince: string | null },
) => {
  const { rows, also, ...read } = await readStream<JournalEntry>(db, TAIL, cursor, { most, values: [changesSince] });
  return { ...read, hasChanges: also, entries: rows };
};
