import type { Row } from "./columns.js";
import type { Queryable } from "./database.js";
import { firstOf } from "./first-of.js";

/** Stores `value` under a name unless there is one already; returns whether it was stored. */
export const keepFirst = async (db: Queryable, name: string, value: string): Promise<boolean> => {
  const { rowCount } = await db.query("insert into settings (name, value) values ($1, $2) on conflict do nothing", [
    name,
    value,
  ]);
  return rowCount === 1;
};

export const findSetting = async (db: Queryable, name: string): Promise<string | null> => {
  const { rows } = await db.query<Row<"settings", "value">>("select value from settings where name = $1", [name]);
  return firstOf(rows, ({ value }) => value);
};

export const replaceSetting = async (db: Queryable, name: string, value: string): Promise<void> => {
  await db.query(
    "insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
    [name, value],
  );
};

export const deleteSetting = async (db: Queryable, name: string): Promise<void> => {
  await db.query("delete from settings where name = $1", [name]);
};
