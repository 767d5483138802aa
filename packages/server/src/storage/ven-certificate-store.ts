import type { VenCertificate, VenIdentity } from "../domain/ven.js";
import type { VenCertificateStore } from "../operations/ven-ports.js";
import type { Queryable } from "./database.js";
import { type VenRow, venColumns, venFromRow } from "./ven-store.js";

interface CertificateRow {
  readonly fingerprint: string;
  readonly ven: string;
  readonly pem: string;
  readonly not_before: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly created_at: Date;
}

type IdentityRow = VenRow &
  CertificateRow & { readonly certificate_created_at: Date; readonly account_disabled: boolean };

const fromRow = (row: CertificateRow): VenCertificate => ({
  fingerprint: row.fingerprint,
  ven: row.ven,
  pem: row.pem,
  notBefore: row.not_before,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  createdAt: row.created_at,
});

export const venCertificateStore = (db: Queryable): VenCertificateStore => ({
  async insert({ fingerprint, ven, pem, notBefore, expiresAt, createdAt }) {
    await db.query(
      `insert into ven_certificates (fingerprint, ven, pem, not_before, expires_at, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [fingerprint, ven, pem, notBefore, expiresAt, createdAt],
    );
  },
  async ofVens(vens) {
    const { rows } = await db.query<CertificateRow>(
      "select * from ven_certificates where ven = any($1) order by created_at desc, fingerprint",
      [vens],
    );
    return rows.map(fromRow);
  },
  async revoke(ven, fingerprint, now) {
    const { rows } = await db.query<CertificateRow>(
      `update ven_certificates set revoked_at = coalesce(revoked_at, $3)
       where ven = $1 and fingerprint = $2 returning *`,
      [ven, fingerprint, now],
    );
    return rows[0] === undefined ? null : fromRow(rows[0]);
  },
  async findIdentity(fingerprint) {
    return (await findIdentities(db, [fingerprint])).get(fingerprint) ?? null;
  },
});

/** Whose these are, by fingerprint. */
export const findIdentities = async (
  db: Queryable,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, VenIdentity>> => {
  const { rows } = await db.query<IdentityRow>({
    name: "find-ven-identities",
    text: `select ${venColumns}, fingerprint, ven, pem, not_before, expires_at, revoked_at,
             ven_certificates.created_at as certificate_created_at, accounts.disabled as account_disabled
           from ven_certificates
           join vens on vens.id = ven_certificates.ven
           join accounts on accounts.id = vens.account_id
           where fingerprint = any($1)`,
    values: [fingerprints],
  });
  return new Map(rows.map((row) => [row.fingerprint, identityFromRow(row)]));
};

const identityFromRow = (row: IdentityRow): VenIdentity => ({
  ven: venFromRow(row),
  certificate: fromRow({ ...row, created_at: row.certificate_created_at }),
  isDeleted: row.deleted_at !== null,
  accountDisabled: row.account_disabled,
});
