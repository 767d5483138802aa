import { advisoryLocks } from "../../platform/database/advisory-locks.js";
import { type Row, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readFirst, readMap, readPage } from "../../platform/database/read.js";
import { valuesOf } from "../../platform/database/values-of.js";
import type { AccountStore, FormerName } from "../operations/access-stores.js";

const accountRow = selection("accounts", ["id", "name", "disabled", "language", "is_simulated", "created_at"]);

export const accountStore = (db: Queryable): AccountStore => ({
  async insert(accounts) {
    await db.query(
      `insert into accounts (id, name, disabled, language, created_at)
       select id, name, disabled, language, created_at
       from unnest($1::text[], $2::text[], $3::boolean[], $4::text[], $5::timestamptz[]) with ordinality
         as given (id, name, disabled, language, created_at, place) order by place`,
      valuesOf(accounts, "id", "name", "disabled", "language", "createdAt"),
    );
  },
  find: (id) => readFirst(db, accountRow.camel, "select * from accounts where id = $1", [id]),
  lock: (id) => readFirst(db, accountRow.camel, "select * from accounts where id = $1 for update", [id]),
  async save({ id, name, disabled, language }) {
    await db.query("update accounts set name = $2, disabled = $3, language = $4 where id = $1", [
      id,
      name,
      disabled,
      language,
    ]);
  },
  list: (page) =>
    readPage(db, page, accountRow.camel, {
      text: "select * from accounts where $1::bigint is null or seq > $1 order by seq limit $2",
    }),
  named: (names) => readAll(db, accountRow.camel, "select * from accounts where name = any($1) order by seq", [names]),
  names: () => readAll(db, ({ name }: Row<"accounts", "name">) => name, "select name from accounts"),
  namesOf: (ids) =>
    readMap(db, ({ id, name }: Row<"accounts", "id" | "name">) => [id, name], {
      text: "select id, name from accounts where id = any($1)",
      values: [ids],
    }),
  async formerNamesOf(ids) {
    const { rows } = await db.query<FormerName>(
      `select subject as "accountId", before ->> 'name' as name, at as until from audit_log
       where action = 'account.change' and subject = any($1) and before ->> 'name' <> after ->> 'name' order by seq`,
      [ids],
    );
    return rows;
  },
  async hasDemo() {
    await db.query("select pg_advisory_xact_lock_shared($1)", [advisoryLocks.demo]);
    // A statement of its own, to see a demo that began while this one waited.
    const { rows } = await db.query("select from demo");
    return rows.length > 0;
  },
  async takeImportTurn() {
    // Not a table lock: a transaction that holds an account's row and is about to change it would wait for us, and we
    // for the row.
    await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.imports]);
  },
});
