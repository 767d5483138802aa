import { selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst, readPage } from "../../platform/database/read.js";
import type { ContactStore } from "../operations/access-stores.js";

const contactRow = selection("contacts", [
  "id",
  "account_id",
  "name",
  "email",
  "phone",
  "sms",
  "voice",
  "language",
  "created_at",
]);

export const contactStore = (db: Queryable): ContactStore => ({
  async insert({ id, accountId, name, email, phone, sms, voice, language, createdAt }) {
    await db.query(
      `insert into contacts (id, account_id, name, email, phone, sms, voice, language, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, accountId, name, email, phone, sms, voice, language, createdAt],
    );
  },
  find: (id, within) =>
    readFirst(db, contactRow.camel, "select * from contacts where id = $1 and ($2::text is null or account_id = $2)", [
      id,
      within,
    ]),
  remove: (id, within) =>
    readFirst(db, contactRow.camel, {
      text: "delete from contacts where id = $1 and ($2::text is null or account_id = $2) returning *",
      values: [id, within],
    }),
  list: (accountId, page) =>
    readPage(db, page, contactRow.camel, {
      text: "select * from contacts where account_id = $3 and ($1::bigint is null or seq > $1) order by seq limit $2",
      values: [accountId],
    }),
});
