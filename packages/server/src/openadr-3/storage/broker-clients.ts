import { scopes } from "@curtail/openadr-3";
import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { BrokerClients } from "../operations/publication.js";

const clientRow = selection("openadr3_clients", ["id", "role", "environment", "scopes", "tokens_from"]);

export const brokerClients = (db: Queryable): BrokerClients => ({
  async standing() {
    const { rows } = await db.query<RowOf<typeof clientRow>>({
      name: "openadr3-broker-clients",
      text: `select ${clientRow.columns} from openadr3_clients
             left join accounts on accounts.id = openadr3_clients.account_id
             where revoked_at is null and accounts.disabled is not true order by openadr3_clients.seq`,
    });
    return rows.map((row) => {
      const client = clientRow.camel(row);
      return { ...client, scopes: scopes.filter((scope) => client.scopes.includes(scope)) };
    });
  },
});
