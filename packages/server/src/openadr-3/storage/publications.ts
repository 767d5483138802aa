import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
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

/** Transactions that still run took their numbers among the last of these. */
const MAY_BE_COMMITTED = 1000;

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
  async newest() {
    const { rows } = await db.query<{ newest: number; missing: number[] }>(
      `with newest as (select coalesce(max(seq), 0) as seq from openadr3_changes)
       select seq as newest, array(
         select number from generate_series(greatest(1, newest.seq - ${MAY_BE_COMMITTED}), newest.seq) as number
         where not exists (select from openadr3_changes where openadr3_changes.seq = number)) as missing
       from newest`,
    );
    return { seq: rows[0]?.newest ?? 0, missing: (rows[0]?.missing ?? []).map(Number) };
  },
  async since(seq, missing, limit) {
    const { rows } = await db.query<ChangeRow>({
      name: "openadr3-changes-since",
      // -infinity: what was outdated when delivery was released.
      text: `select ${changeRow.columns} from openadr3_changes
             where (seq > $1 or seq = any($2)) and published_at is distinct from '-infinity' order by seq limit $3`,
      values: [seq, missing, limit],
    });
    return rows.map(changeFromRow);
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
