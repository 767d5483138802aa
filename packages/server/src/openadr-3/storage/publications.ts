import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readStream } from "../../platform/database/journal-reader.js";
import type { ListeningVen, PublishedChange } from "../operations/publication.js";
import type { Publications } from "../operations/publication-ports.js";
import { LOCKED_CHANGES } from "./object-change-store.js";
import { GRANTED } from "./object-row.js";

const changeRow = selection("openadr3_changes", [
  "seq",
  "environment",
  "operation",
  "object_type",
  "object_id",
  "object",
  "targets",
  "kept_targets",
  "client_id",
  "program_id",
  "ven_id",
  "at",
]);
type ChangeRow = RowOf<typeof changeRow>;

type VenRow = Row<"openadr3_objects", "environment"> & {
  readonly client_id: string;
  readonly ven_id: string;
  readonly granted: readonly string[];
};

const CHANGES = {
  name: "openadr3-changes-since",
  table: "openadr3_changes",
  columns: changeRow.columns,
  // What was outdated when delivery was released.
  condition: "published_at is distinct from '-infinity'",
};

const changeFromRow = (row: ChangeRow): PublishedChange => {
  const change = changeRow.camel(row);
  return { ...change, object: change.object as object };
};

export const publications = (db: Queryable): Publications => ({
  async due(limit) {
    const { rows } = await db.query<ChangeRow>({
      name: "openadr3-publications",
      text: `select ${changeRow.columns} from openadr3_changes where published_at is null order by seq limit $1`,
      values: [limit],
    });
    return rows.map(changeFromRow);
  },
  async settle({ published, skipped, at }) {
    // -infinity: settled, and never published.
    await db.query(
      `with locked as materialized (${LOCKED_CHANGES})
       update openadr3_changes as changes
       set published_at = case when changes.seq = any($3) then $2::timestamptz else '-infinity' end
       from locked where changes.seq = locked.seq`,
      [[...published, ...skipped], at, published],
    );
  },
  async waitingSince() {
    const { rows } = await db.query<Row<"openadr3_changes", "at">>(
      "select at from openadr3_changes where published_at is null order by seq limit 1",
    );
    return rows[0]?.at ?? null;
  },
  async since(cursor, limit) {
    const { rows, ...read } = await readStream<ChangeRow>(db, CHANGES, cursor, { most: limit, values: [] });
    return { changes: rows.map(changeFromRow), cursor: read.cursor, hasMore: read.hasMore };
  },
  async vens(changes) {
    const isForAll = changes.some(({ objectType, venId }) => isTargeted(objectType) && venId === null);
    const { rows } = await db.query<VenRow>(
      `select ven.environment, ven.client_id, ven.id as ven_id, array(${GRANTED}) as granted
       from openadr3_objects as ven
       join openadr3_clients as clients on clients.id = ven.client_id and clients.role = 'ven' and revoked_at is null
       join accounts on accounts.id = clients.account_id and not disabled
       where ven.object_type = 'VEN' and ven.environment = clients.environment
         and ($1 or ven.id = any($2) or ven.client_id = any($3))`,
      [isForAll, idsOf(changes, "venId"), idsOf(changes, "clientId")],
    );
    return rows.map(venFromRow);
  },
});

const isTargeted = (objectType: string): boolean => objectType === "PROGRAM" || objectType === "EVENT";

const idsOf = (changes: readonly PublishedChange[], name: "venId" | "clientId"): string[] => [
  ...new Set(changes.flatMap(({ [name]: id }) => id ?? [])),
];

const venFromRow = ({ environment, client_id, ven_id, granted }: VenRow): ListeningVen => ({
  environment,
  clientId: client_id,
  grants: { venId: ven_id, targets: granted },
});
