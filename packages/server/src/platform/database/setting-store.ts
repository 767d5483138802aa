import type { Row } from "./columns.js";
import type { Queryable } from "./database.js";
import { matchesOne, readFirst } from "./read.js";

/** Stores `value` under a name unless there is one already; returns whether it was stored. */
export const keepFirst = (db: Queryable, name: string, value: string): Promise<boolean> =>
  matchesOne(db, "insert into settings (name, value) values ($1, $2) on conflict do nothing", [name, value]);

export const findSetting = (db: Queryable, name: string): Promise<string | null> =>
  readFirst(db, ({ value }: Row<"settings", "value">) => value, "select value from settings where name = $1", [name]);

export const replaceSetting = async (db: Queryable, name: string, value: string): Promise<void> => {
  await db.query(
    "insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
    [name, value],
  );
};

export const deleteSetting = async (db: Queryable, name: string): Promise<void> => {
  await db.query("delete from settings where name = $1", [name]);
};
