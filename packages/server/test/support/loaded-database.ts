import { cloneDatabase, type TestDatabase } from "./database.js";

interface Table {
  readonly name: string;
  /** Those that are not computed. */
  readonly columns: string;
}

const TABLES = `
  select format('%I.%I', nspname, relname) as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
  where nspname in ('public', 'sandbox') and relkind = 'r' group by 1 order by 1`;

/** A new database with every row of another one, table by table, as after a dump and its load. */
export const loadedFrom = async (source: TestDatabase): Promise<TestDatabase> => {
  const loaded = await cloneDatabase();
  const { rows: tables } = await source.pool.query<Table>(TABLES);
  const client = await loaded.pool.connect();
  try {
    // Rows come in any order: foreign keys and triggers held when they were written.
    await client.query("set session_replication_role = replica");
    await client.query(`truncate ${tables.map(({ name }) => name).join(", ")}`);
    for (const { name, columns } of tables) {
      const { rows } = await source.pool.query<{ all: string | null }>(
        `select json_agg(each)::text as all from (select ${columns} from ${name}) as each`,
      );
      await client.query(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::${name}, $1::json)`,
        [rows[0]?.all ?? "[]"],
      );
    }
    const { rows: sequences } = await source.pool.query<{ name: string; last: string }>(
      `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
       from pg_sequences where last_value is not null`,
    );
    for (const { name, last } of sequences) await client.query("select setval($1::regclass, $2)", [name, last]);
    await client.query("set session_replication_role = default");
  } finally {
    client.release();
  }
  return loaded;
};
