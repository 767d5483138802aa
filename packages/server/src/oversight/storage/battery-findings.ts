import type { Queryable } from "../../platform/database/database.js";
import { type AccountRow, accountName, type Finding } from "../../platform/database/finding.js";

type UndecidedRow = AccountRow & { readonly meters: number; readonly some: readonly string[] };

const NAMED = 5;

/** Accounts with batteries whose kWh count as energy until an operator says what they are (G59). */
export const undecidedBatteries = async (db: Queryable): Promise<Finding[]> => {
  const { rows } = await db.query<UndecidedRow>(
    `select account_id, accounts.name as account_name, count(*)::int as meters,
       (array_agg(meters.name || ' of ' || sites.name order by meters.seq))[1:${NAMED}] as some
     from meters join sites on sites.id = site_id join accounts on accounts.id = account_id
     where kwh_means = 'undecided' group by account_id, accounts.name order by account_id`,
  );
  return rows.map((row) => ({
    subject: row.account_id,
    accountId: row.account_id,
    message:
      `Batteries of account ${accountName(row)} may send their state of charge in kWh, which counts as energy until you decide: ` +
      `${row.some.join(", ")}${row.meters > NAMED ? ` and ${row.meters - NAMED} more` : ""}. Ask the account, and set on the ` +
      "page of each site what kWh of its meters mean.",
  }));
};
