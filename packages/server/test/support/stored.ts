import type { Running } from "./running.js";

/**
 * The number of rows of every table, of production and of the sandbox, by name; without the request log, which is
 * written a second later.
 */
export const everythingStored = async ({ database }: Running): Promise<Record<string, number>> => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'sandbox') and table_type = 'BASE TABLE' and table_name <> 'request_log' order by 1`,
  );
  const counts = rows.map(({ name }) => `(select count(*) from ${name}) as "${name}"`);
  return (await database.pool.query(`select ${counts.join(", ")}`)).rows[0];
};
