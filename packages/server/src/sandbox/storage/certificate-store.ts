import { selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll, readFirst, readPage } from "../../platform/database/read.js";
import { FORMATS, type Formatted, withoutFormat } from "../../platform/database/stored-format.js";
import type { IntegrationCertificate, Pass } from "../domain/certificate.js";
import type { CertificateStore } from "../operations/scenario-service.js";

const certificateRow = selection("integration_certificates", ["id", "account_id", "certified_at"]);

type StoredPass = Omit<Pass, "passedAt"> & { readonly passedAt: string };

interface CertificateRow {
  readonly id: string;
  readonly account_id: string;
  readonly certified_at: Date;
  readonly passes: Formatted<{ readonly passes: readonly StoredPass[] }>;
}

const columns = `${certificateRow.columns}, passes`;

const fromRow = ({ passes: stored, ...row }: CertificateRow): IntegrationCertificate => {
  const { passes } = withoutFormat(stored, FORMATS.certificatePasses, "a certificate");
  return {
    ...certificateRow.camel(row),
    passes: passes.map((pass) => ({ ...pass, passedAt: new Date(pass.passedAt) })),
  };
};

export const certificateStore = (db: Queryable): CertificateStore => ({
  async insert({ id, accountId, certifiedAt, passes }) {
    await db.query(
      "insert into integration_certificates (id, account_id, certified_at, passes) values ($1, $2, $3, $4)",
      [id, accountId, certifiedAt, JSON.stringify({ format: FORMATS.certificatePasses, passes })],
    );
  },
  newestOf: (accountId) =>
    readFirst(db, fromRow, {
      text: `select ${columns} from integration_certificates where account_id = $1 order by seq desc limit 1`,
      values: [accountId],
    }),
  newestOfEach: (accountIds) =>
    readAll(db, fromRow, {
      text: `select distinct on (account_id) ${columns} from integration_certificates
       where account_id = any($1) order by account_id, seq desc`,
      values: [accountIds],
    }),
  list: (accountId, page) =>
    readPage(db, page, fromRow, {
      text: `select seq, ${columns} from integration_certificates
       where account_id = $3 and ($1::bigint is null or seq < $1) order by seq desc limit $2`,
      values: [accountId],
    }),
});
