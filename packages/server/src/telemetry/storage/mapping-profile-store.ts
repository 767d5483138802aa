import { selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readFirst, readPage } from "../../platform/database/read.js";
import type { MappingProfileStore } from "../operations/mapping-profile.js";

const profileRow = selection("mapping_profiles", [
  "id",
  "account_id",
  "name",
  "header",
  "mapping",
  "saved_by",
  "saved_at",
]);

export const mappingProfileStore = (db: Queryable): MappingProfileStore => ({
  async insert({ id, accountId, name, header, mapping, savedBy, savedAt }) {
    await db.query(
      `insert into mapping_profiles (id, account_id, name, header, mapping, saved_by, saved_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, accountId, name, header, JSON.stringify(mapping), savedBy, savedAt],
    );
  },
  remove: (id, within) =>
    readFirst(db, profileRow.camel, {
      text: "delete from mapping_profiles where id = $1 and ($2::text is null or account_id = $2) returning *",
      values: [id, within],
    }),
  list: (accountId, page) =>
    readPage(db, page, profileRow.camel, {
      text: "select * from mapping_profiles where account_id = $3 and ($1::bigint is null or seq > $1) order by seq limit $2",
      values: [accountId],
    }),
  ofAccount: (accountId) =>
    readAll(db, profileRow.camel, "select * from mapping_profiles where account_id = $1 order by seq desc", [
      accountId,
    ]),
});
