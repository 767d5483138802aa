import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { firstOf } from "../../platform/database/first-of.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
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
type ProfileRow = Placed<RowOf<typeof profileRow>>;

export const mappingProfileStore = (db: Queryable): MappingProfileStore => ({
  async insert({ id, accountId, name, header, mapping, savedBy, savedAt }) {
    await db.query(
      `insert into mapping_profiles (id, account_id, name, header, mapping, saved_by, saved_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, accountId, name, header, JSON.stringify(mapping), savedBy, savedAt],
    );
  },
  async remove(id, within) {
    const { rows } = await db.query<ProfileRow>(
      "delete from mapping_profiles where id = $1 and ($2::text is null or account_id = $2) returning *",
      [id, within],
    );
    return firstOf(rows, profileRow.camel);
  },
  async list(accountId, page) {
    const { rows } = await db.query<ProfileRow>(
      "select * from mapping_profiles where account_id = $3 and ($1::bigint is null or seq > $1) order by seq limit $2",
      [...pageParameters(page), accountId],
    );
    return pageOf(rows, page, profileRow.camel);
  },
  async ofAccount(accountId) {
    const { rows } = await db.query<ProfileRow>(
      "select * from mapping_profiles where account_id = $1 order by seq desc",
      [accountId],
    );
    return rows.map(profileRow.camel);
  },
});
