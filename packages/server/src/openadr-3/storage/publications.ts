import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readStream } from "../../platform/database/journal-reader.js";
import type { ListeningVen, Publications, PublishedChange } from "../operations/publication.js";
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
};

const changeFromRow = (row: ChangeRow): PublishedChange => {
  const change = changeRow.camel(row);
  return { ...change, object: change.object as object };
};

export const publications = (db: Queryable): Publications => ({
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
