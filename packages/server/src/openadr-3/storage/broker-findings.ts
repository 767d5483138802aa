import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { BrokerFindings, BrokerWeakness } from "../operations/broker-conditions.js";

type SharedRow = Row<"openadr3_clients", "id" | "name" | "account_id"> & { readonly account_name: string | null };

export const brokerFindings = (db: Queryable): BrokerFindings => ({
  async setWeaknesses(found, at) {
    await db.query(
      `with gone as (delete from openadr3_broker_findings where subject = '' and not kind = any($1))
       insert into openadr3_broker_findings (kind, found_at) select kind, $2 from unnest($1::text[]) as kind
       on conflict do nothing`,
      [found, at],
    );
  },
  async noteShared(clientId, at) {
    await db.query(
      `insert into openadr3_broker_findings (kind, subject, found_at)
       select 'shared_client', id, $2 from openadr3_clients where id = $1 and revoked_at is null
       on conflict (kind, subject) do update set found_at = excluded.found_at`,
      [clientId, at],
    );
  },
  async weaknesses() {
    const { rows } = await db.query<Row<"openadr3_broker_findings", "kind">>(
      "select kind from openadr3_broker_findings where subject = '' order by kind",
    );
    return rows.map(({ kind }) => kind as BrokerWeakness);
  },
  async sharedSince(since) {
    const { rows } = await db.query<SharedRow>(
      `select clients.id, clients.name, account_id, accounts.name as account_name
       from openadr3_broker_findings join openadr3_clients as clients on clients.id = subject and revoked_at is null
       left join accounts on accounts.id = account_id
       where kind = 'shared_client' and found_at >= $1 and disabled is not true order by clients.seq`,
      [since],
    );
    return rows.map(({ id, name, account_id, account_name }) => ({
      clientId: id,
      name,
      account: account_id === null ? null : { id: account_id, name: account_name ?? account_id },
    }));
  },
});
