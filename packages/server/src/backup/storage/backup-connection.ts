import pg from "pg";

/** Connections of a backup; not those of a serving process. */
const NAME = "curtail backup";

/** What makes the text of every value the same, on every server, and lets statements last. */
const SAME_TEXT = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres'; set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex';
  set client_encoding = 'UTF8'; set synchronize_seqscans = off`;

/** A connection without the time limits of requests; end it. */
export const connectedForBackup = async (connection: pg.ClientConfig): Promise<pg.Client> => {
  const { query_timeout: _query, ...rest } = connection;
  // A pool's connections are pipelined, which suits no statement that streams.
  const settings = { ...rest, pipeline: false, application_name: NAME };
  const client = new pg.Client(settings);
  // A broken connection fails the statement that needs it; without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  await client.query(SAME_TEXT);
  return client;
};

/** The same for the time of some work. */
export const withBackupClient = async <T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = await connectedForBackup(connection);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
