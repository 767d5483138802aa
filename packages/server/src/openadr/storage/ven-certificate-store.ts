import { lookAgainAtOwed } from "../../dispatch/storage/notice-store.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readFirst, readMap } from "../../platform/database/read.js";
import type { VenIdentity } from "../domain/ven.js";
import type { VenCertificateStore } from "../operations/ven-ports.js";
import { type VenRow, venColumns, venFromRow } from "./ven-store.js";

const certificateRow = selection("ven_certificates", [
  "fingerprint",
  "ven",
  "pem",
  "not_before",
  "expires_at",
  "revoked_at",
  "created_at",
]);
type CertificateRow = RowOf<typeof certificateRow>;

type IdentityRow = VenRow &
  CertificateRow &
  Row<"vens", "deleted_at"> & { readonly certificate_created_at: Date; readonly account_disabled: boolean };

export const venCertificateStore = (db: Queryable): VenCertificateStore => ({
  async insert({ fingerprint, ven, pem, notBefore, expiresAt, createdAt }) {
    await db.query(
      `insert into ven_certificates (fingerprint, ven, pem, not_before, expires_at, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [fingerprint, ven, pem, notBefore, expiresAt, createdAt],
    );
  },
  ofVens: (vens) =>
    readAll(db, certificateRow.camel, {
      text: "select * from ven_certificates where ven = any($1) order by created_at desc, fingerprint",
      values: [vens],
    }),
  async revoke({ id: ven, accountId }, fingerprint, now) {
    const revoked = await readFirst(db, certificateRow.camel, {
      text: `update ven_certificates set revoked_at = coalesce(revoked_at, $3)
       where ven = $1 and fingerprint = $2 returning *`,
      values: [ven, fingerprint, now],
    });
    if (revoked !== null) await lookAgainAtOwed(db, accountId, now);
    return revoked;
  },
});

/** The VENs of certificates, by fingerprint: also of revoked and expired ones, and deleted VENs. */
export const findIdentities = (
  db: Queryable,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, VenIdentity>> =>
  readMap(db, (row: IdentityRow) => [row.fingerprint, identityFromRow(row)], {
    name: "find-ven-identities",
    text: `select ${venColumns}, vens.deleted_at, fingerprint, ven, pem, not_before, expires_at, revoked_at,
             ven_certificates.created_at as certificate_created_at, accounts.disabled as account_disabled
           from ven_certificates
           join vens on vens.id = ven_certificates.ven
           join accounts on accounts.id = vens.account_id
           where fingerprint = any($1)`,
    values: [fingerprints],
  });

const identityFromRow = (row: IdentityRow): VenIdentity => ({
  ven: venFromRow(row),
  certificate: certificateRow.camel({ ...row, created_at: row.certificate_created_at }),
  isDeleted: row.deleted_at !== null,
  accountDisabled: row.account_disabled,
});

/** Whether a VEN can be heard: one of its certificates is valid at this time. */
export const hasValidCertificate = (now: string): string => `exists (
  select from ven_certificates where ven = vens.id and revoked_at is null and expires_at > ${now})`;
