import { WARNED_DAYS, warnedDays } from "../../openadr/domain/ven.js";
import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type AccountRow, accountName, type Finding } from "../../platform/database/finding.js";
import { formatTimestamp } from "../../platform/timestamp.js";

type ExpiringRow = AccountRow & Row<"vens", "id" | "ven_id"> & Row<"ven_certificates", "expires_at">;

/**
 * VENs whose last certificate expires soon or has expired, unless they have a newer one. Each step is a separate alarm,
 * so that it is raised again at 30 and at 7 days.
 */
export const expiringCertificates = async (db: Queryable, now: Date): Promise<Finding[]> => {
  const { rows } = await db.query<ExpiringRow>(
    `select vens.id, ven_id, account_id, accounts.name as account_name, max(expires_at) as expires_at
     from vens join accounts on accounts.id = account_id join ven_certificates on ven = vens.id
     where deleted_at is null and not disabled and revoked_at is null
     group by vens.id, accounts.id
     having max(expires_at) <= $1::timestamptz + $2 * interval '1 day'
     order by vens.seq`,
    [now, Math.max(...WARNED_DAYS)],
  );
  return rows.map((row) => findingOf(row, now));
};

const findingOf = (row: ExpiringRow, now: Date): Finding => {
  const days = warnedDays(row.expires_at, now) ?? 0;
  const ending = days === 0 ? "ended" : `ends within ${days} days,`;
  return {
    subject: `${row.id} ${days}`,
    accountId: row.account_id,
    message:
      `The last certificate of VEN ${row.ven_id} (${row.id}) of account ${accountName(row)} ${ending} at ` +
      `${formatTimestamp(row.expires_at)}; the VEN cannot connect after that. Issue a new one (\`curtail admin vens certify ` +
      `${row.id}\`), and ask the account to install it.`,
  };
};
