import pg from "pg";

/** The role that the service connects as. It has no privileges until they are granted. */
export const SERVICE_ROLE = "curtail_service";

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** Resolves when the database and the service's role exist and it accepts queries. */
export async function ensureDatabase(connection: Connection): Promise<void> {
  await withClient({ ...connection, database: "postgres" }, async (client) => {
    const found = await client.query("select 1 from pg_database where datname = $1", [connection.database]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(connection.database)}`);
    const role = await client.query("select 1 from pg_roles where rolname = $1", [SERVICE_ROLE]);
    if (role.rowCount === 0) await client.query(`create role ${pg.escapeIdentifier(SERVICE_ROLE)} login`);
  });
  await withClient(connection, (client) => client.query("select 1"));
}

async function withClient(connection: Connection, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(connection);
  // A connection that breaks also fails the query in flight, which reports it.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
