import { selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst } from "../../platform/database/read.js";
import type { VenClaimStore } from "../operations/ven-ports.js";

const claimRow = selection("ven_claims", ["ven", "days", "created_at", "expires_at"]);

export const venClaimStore = (db: Queryable): VenClaimStore => ({
  async insert({ ven, days, createdAt, expiresAt }, tokenHash) {
    await db.query(
      "insert into ven_claims (token_hash, ven, days, created_at, expires_at) values ($1, $2, $3, $4, $5)",
      [tokenHash, ven, days, createdAt, expiresAt],
    );
  },
  // If the link is used twice at once, the second waits here and finds it used.
  use: (tokenHash, now) =>
    readFirst(db, claimRow.camel, {
      text: `update ven_claims set used_at = $2
       from vens
       where token_hash = $1 and used_at is null and expires_at > $2
         and vens.id = ven_claims.ven and vens.deleted_at is null
       returning ven_claims.*`,
      values: [tokenHash, now],
    }),
});
