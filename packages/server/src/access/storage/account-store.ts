import { advisoryLocks } from "../../platform/database/advisory-locks.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { firstOf } from "../../platform/database/first-of.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import type { AccountStore, FormerName } from "../operations/access-stores.js";

const accountRow = selection("accounts", ["id", "name", "disabled", "created_at"]);
type AccountRow = Placed<RowOf<typeof accountRow>>;

export const accountStore = (db: Queryable): AccountStore => ({
  async insert(account) {
    await db.query("insert into accounts (id, name, disabled, created_at) values ($1, $2, $3, $4)", [
      account.id,
      account.name,
      account.disabled,
      account.createdAt,
    ]);
  },
  async find(id) {
    const { rows } = await db.query<AccountRow>("select * from accounts where id = $1", [id]);
    return firstOf(rows, accountRow.camel);
  },
  async lock(id) {
    const { rows } = await db.query<AccountRow>("select * from accounts where id = $1 for update", [id]);
    return firstOf(rows, accountRow.camel);
  },
  async save({ id, name, disabled }) {
    await db.query("update accounts set name = $2, disabled = $3 where id = $1", [id, name, disabled]);
  },
  async list(page) {
    const { rows } = await db.query<AccountRow>(
      "select * from accounts where $1::bigint is null or seq > $1 order by seq limit $2",
      pageParameters(page),
    );
    return pageOf(rows, page, accountRow.camel);
  },
  async named(names) {
    const { rows } = await db.query<AccountRow>("select * from accounts where name = any($1) order by seq", [names]);
    return rows.map(accountRow.camel);
  },
  async names() {
    const { rows } = await db.query<Row<"accounts", "name">>("select name from accounts");
    return rows.map(({ name }) => name);
  },
  async namesOf(ids) {
    const { rows } = await db.query<Row<"accounts", "id" | "name">>(
      "select id, name from accounts where id = any($1)",
      [ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  },
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
