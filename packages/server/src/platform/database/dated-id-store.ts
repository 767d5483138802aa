import type { DatedIdStore, NumberedEntity } from "../dated-ids.js";
import { selection } from "./columns.js";
import type { Queryable } from "./database.js";

const row = selection("dated_ids", ["number", "kind", "id"]);

/** The numbers of entities in earlier versions of the interface. No row is ever changed or removed. */
export const datedIdStore = (db: Queryable): DatedIdStore => ({
  async number(entities) {
    const { rows } = await db.query<NumberedEntity>({
      name: "number-entities",
      // An entity that another process numbers meanwhile is updated to what it is, because only that returns its row.
      // In order, so that two of them never wait for each other.
      text: `with given as (
               select distinct kind, id from unnest($1::text[], $2::text[]) as each (kind, id)
             ), known as materialized (
               select ${row.columns} from given join dated_ids using (kind, id)
             ), made as (
               insert into dated_ids (kind, id)
               select kind, id from given where (kind, id) not in (select kind, id from known) order by kind, id
               on conflict (kind, id) do update set kind = excluded.kind
               returning ${row.columns}
             )
             select * from known union all select * from made`,
      values: [entities.map(({ kind }) => kind), entities.map(({ id }) => id)],
    });
    return rows;
  },
  async known(ids) {
    const { rows } = await db.query<NumberedEntity>(`select ${row.columns} from dated_ids where id = any($1)`, [ids]);
    return rows;
  },
  async find(numbers) {
    const { rows } = await db.query<NumberedEntity>({
      name: "find-numbered-entities",
      text: `select ${row.columns} from dated_ids where number = any($1::int[])`,
      values: [numbers],
    });
    return rows;
  },
});
