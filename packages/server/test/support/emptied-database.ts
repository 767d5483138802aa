import type pg from "pg";

/** What a clone of the template begins with, apart from the migrations themselves. */
const seedsOf = async (pool: pg.Pool): Promise<readonly string[]> => {
  const { rows: tables } = await pool.query<{ name: string; columns: string }>(`
    select format('%I.%I', nspname, relname) as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where nspname in ('public', 'sandbox') and relkind = 'r' and relname <> 'schema_migrations' group by 1 order by 1`);
  const seeds: string[] = [];
  for (const { name, columns } of tables) {
    const { rows } = await pool.query<{ json: string | null }>(
      `select quote_literal(json_agg(each)) as json from (select ${columns} from ${name}) as each`,
    );
    const json = rows[0]?.json ?? null;
    if (json === null) continue;
    seeds.push(`insert into ${name} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${name}, ${json}::json);`);
  }
  return seeds;
};

const sequencesOf = async (pool: pg.Pool): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string; last: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
     from pg_sequences where last_value is not null`,
  );
  return rows.map(({ name, last }) => `perform setval('${name}', ${last});`);
};

const MIGRATIONS = "select md5(string_agg(each::text, '' order by version)) from schema_migrations as each";

const migrationsOf = async (pool: pg.Pool): Promise<string> => {
  const { rows } = await pool.query<{ md5: string }>(MIGRATIONS);
  return rows[0]?.md5 ?? "";
};

/** SQL: those that hold what tests write. */
const TABLES = `from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname in ('public', 'sandbox') and relkind = 'r' and relname <> 'schema_migrations'`;

/** A table that grew beyond this gets a new file, which ends the plans of its statements; others lose their rows. */
const MOST_KEPT_BYTES = 2 ** 18;

/**
 * Gives the template a function that makes a database as it was when it was cloned. It answers false if more than rows was
 * changed; a large object marks that, because it is in no schema.
 */
export const makeEmptiable = async (pool: pg.Pool): Promise<void> => {
  const [seeds, sequences, migrations] = [await seedsOf(pool), await sequencesOf(pool), await migrationsOf(pool)];
  await pool.query(`
    create function emptied() returns boolean language plpgsql as $emptied$
    declare filled text;
    begin
      if exists (select from pg_largeobject_metadata) or (${MIGRATIONS}) is distinct from '${migrations}' then
        return false;
      end if;
      set local lock_timeout = '500ms';
      set local session_replication_role = replica;
      select string_agg(format('%I.%I', nspname, relname), ', ') into filled ${TABLES}
        and (pg_relation_size(pg_class.oid) > ${MOST_KEPT_BYTES} or reltuples >= 0);
      if filled is not null then execute 'truncate ' || filled || ' cascade'; end if;
      for filled in
        select format('delete from %I.%I', nspname, relname) ${TABLES} and pg_relation_size(pg_class.oid) > 0
      loop execute filled; end loop;
      -- What the planner has learned of rows that are gone.
      delete from pg_statistic using pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where starelid = pg_class.oid and nspname in ('public', 'sandbox');
      perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      from pg_sequences where last_value is not null;
      ${seeds.join("\n")}
      ${sequences.join("\n")}
      return true;
    end $emptied$;
    create function mark_changed() returns event_trigger language plpgsql security definer as
      $mark$ begin perform lo_create(0); end $mark$;
    create event trigger marks_changed on ddl_command_end execute function mark_changed()`);
};
