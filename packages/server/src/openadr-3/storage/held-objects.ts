import type { Queryable } from "../../platform/database/database.js";
import { SEEN_BY_ALL } from "../../platform/database/journal-upkeep.js";
import { readAll } from "../../platform/database/read.js";
import { grouped } from "../../platform/grouped.js";
import type { SecretBox } from "../../platform/secret-box.js";
import type { StoredObject } from "../domain/stored-object.js";
import type { HeldObject, HeldSource, LargeVen, NotedChange, VenHoldings } from "../operations/held-objects.js";
import { foundWith, type ObjectRow, objectFromRow } from "./object-row.js";

/** Of programs and events that are for no ven alone. */
export interface HeldLimits {
  readonly objects: number;
  readonly bytes: number;
}

const LIMITS: HeldLimits = { objects: 20_000, bytes: 16 * 1024 * 1024 };
/** Resources and events of a VEN. */
const MOST_OF_VEN = 1000;
/** Objects that are read again one by one. */
const MOST_CHANGED = 1000;
/** In memory an object takes some three times its JSON, which is kept once more. */
const TIMES = 4;
const OBJECT_BYTES = 1000;

type HeldRow = ObjectRow & { readonly seq: number; readonly bytes: number };

const HELD = foundWith(", openadr3_objects.seq, octet_length(openadr3_objects.body::text) as bytes");
const IS_COMMON = (object: string): string => `${object}.environment in ('production', 'sandbox')
  and ${object}.object_type in ('PROGRAM', 'EVENT') and ${object}.ven_id is null`;

type ChangedRow = Pick<StoredObject, "environment"> & {
  readonly object_id: string | null;
  readonly object_type: StoredObject["objectType"];
  readonly ven_id: string | null;
  readonly known: number;
};

interface VenRow {
  readonly client_id: string;
  readonly ven_id: string;
  readonly account_id: string | null;
  readonly program_ids: readonly string[];
}

export const heldObjects = (db: Queryable, secrets: SecretBox, limits: HeldLimits = LIMITS): HeldSource => {
  const fromRow = objectFromRow(secrets);
  const heldFrom = (row: HeldRow): HeldObject => ({
    object: fromRow(row),
    seq: row.seq,
    bytes: OBJECT_BYTES + TIMES * row.bytes,
  });
  const held = (name: string, condition: string, values: unknown[] = []): Promise<HeldObject[]> =>
    readAll(db, heldFrom, { name, text: `${HELD} where ${condition} order by openadr3_objects.seq`, values });
  return {
    async common() {
      if (!(await isWithin(db, limits))) return null;
      return held("openadr3-common-objects", IS_COMMON("openadr3_objects"));
    },
    async changed(seqs) {
      const changed = await changedBy(db, seqs);
      if (changed === null) return null;
      const ids = changed.filter(({ venId }) => venId === null).map(({ id }) => id);
      const now = await held(
        "openadr3-changed-objects",
        `${IS_COMMON("openadr3_objects")} and openadr3_objects.id = any($1)`,
        [ids],
      );
      const byId = new Map(now.map((each) => [each.object.id, each]));
      return changed.map((change) => ({ ...change, held: byId.get(change.id) ?? null }));
    },
    async ofClients(clientIds) {
      const vens = await vensOf(db, clientIds);
      const venIds = [...vens.values()].map(({ ven_id }) => ven_id);
      const objects = venIds.length === 0 ? [] : await held("openadr3-objects-of-vens", OF_VENS, [venIds]);
      const byVen = grouped(objects, ({ object }) => (object.objectType === "VEN" ? object.id : (object.venId ?? "")));
      return clientIds.map((id) => {
        const ven = vens.get(id);
        return ven === undefined ? null : holdingsOf(ven, byVen.get(ven.ven_id) ?? []);
      });
    },
  };
};

const isWithin = async (db: Queryable, { objects, bytes: most }: HeldLimits): Promise<boolean> => {
  const { rows } = await db.query<{ count: number; bytes: number }>({
    name: "openadr3-common-size",
    text: `select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes from (
             select octet_length(body::text) as bytes from openadr3_objects where ${IS_COMMON("openadr3_objects")} limit $1
           ) as objects`,
    values: [objects + 1],
  });
  const [{ count, bytes } = { count: 0, bytes: 0 }] = rows;
  return count <= objects && bytes <= most;
};

/**
 * Changes that everybody is taken to have seen have lost their transaction. Without `offset 0` the planner may read all changes in the
 * order of their objects; asked for one transaction rather than a range, all of them, where nearly all have been seen.
 */
const changedBy = async (
  db: Queryable,
  seqs: readonly number[],
): Promise<ReadonlyArray<Omit<NotedChange, "held">> | null> => {
  const { rows } = await db.query<ChangedRow>({
    name: "openadr3-changed",
    text: `with given as materialized (
             select xid from openadr3_changes where seq = any($1) and xid <> ${SEEN_BY_ALL}
           ), changed as (
             select distinct object_id, object_type, environment, ven_id
             from (select distinct xid from given) as transactions cross join lateral (
               select * from openadr3_changes as its where its.xid >= transactions.xid and its.xid <= transactions.xid offset 0
             ) as its
             where object_type in ('PROGRAM', 'EVENT', 'VEN', 'RESOURCE') limit $2
           )
           select known, changed.* from (select count(*)::int as known from given) as given left join changed on true`,
    values: [seqs, MOST_CHANGED + 1],
  });
  if (rows[0]?.known !== seqs.length || rows.length > MOST_CHANGED) return null;
  return rows.flatMap(({ object_id: id, object_type: objectType, environment, ven_id: venId }) =>
    id === null ? [] : [{ id, objectType, environment, venId }],
  );
};

const vensOf = async (db: Queryable, clientIds: readonly string[]): Promise<ReadonlyMap<string, VenRow>> => {
  const { rows } = await db.query<VenRow>({
    name: "openadr3-vens-of-clients",
    text: `select ven.client_id, ven.id as ven_id, account_id, array(
             select distinct program_id from sites join enrolments on enrolments.site_id = sites.id
             where sites.account_id = clients.account_id) as program_ids
           from openadr3_clients as clients join openadr3_objects as ven on ven.environment = clients.environment
             and ven.object_type = 'VEN' and ven.client_id = clients.id
           where clients.id = any($1)`,
    values: [clientIds],
  });
  return new Map(rows.map((row) => [row.client_id, row]));
};

const OF_VENS = `(openadr3_objects.id = any($1) or openadr3_objects.seq in (
  select own.seq from unnest($1::text[]) as ven (id) cross join lateral (
    select seq from openadr3_objects where openadr3_objects.ven_id = ven.id and object_type in ('RESOURCE', 'EVENT')
    limit ${MOST_OF_VEN + 1}) as own))`;

const holdingsOf = (
  { account_id: accountId, program_ids: programIds }: VenRow,
  objects: readonly HeldObject[],
): VenHoldings | LargeVen | null => {
  if (objects.length > MOST_OF_VEN + 1) return { isLarge: true };
  const of = (type: StoredObject["objectType"]) => objects.filter(({ object }) => object.objectType === type);
  const [ven] = of("VEN");
  // Deleted in between.
  if (ven === undefined) return null;
  return { ven, accountId, programIds, resources: of("RESOURCE"), events: of("EVENT") };
};
