import type { VenClaim } from "../domain/ven.js";
import type { VenClaimStore } from "../operations/ven-ports.js";
import type { Queryable } from "./database.js";

interface ClaimRow {
  readonly ven: string;
  readonly days: number;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const fromRow = (row: ClaimRow): VenClaim => ({
  ven: row.ven,
  days: row.days,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export const venClaimStore = (db: Queryable): VenClaimStore => ({
  async insert({ ven, days, createdAt, expiresAt }, tokenHash) {
    await db.query(
      "insert into ven_claims (token_hash, ven, days, created_at, expires_at) values ($1, $2, $3, $4, $5)",
      [tokenHash, ven, days, createdAt, expiresAt],
    );
  },
  async use(tokenHash, now) {
    // Of two who press at once the second waits here, and finds it used.
    const { rows } = await db.query<ClaimRow>(
      `update ven_claims set used_at = $2
       from vens
       where token_hash = $1 and used_at is null and expires_at > $2
         and vens.id = ven_claims.ven and vens.deleted_at is null
       returning ven_claims.*`,
      [tokenHash, now],
    );
    return rows[0] === undefined ? null : fromRow(rows[0]);
  },
});
