import pg from "pg";

const TRIES = 3;

/**
 * Throws if a pooler in between hands out connections by transaction: what a session sets would then be another's, the
 * tables of the sandbox among it. Found if the pooler gives a connection that has just been set to somebody else.
 */
export const refuseTransactionPooler = async (options: pg.ClientConfig): Promise<void> => {
  for (let tried = 0; tried < TRIES; tried++) if (await isHandedOn(options)) throw new Error(BY_TRANSACTION);
};

const BY_TRANSACTION =
  "DATABASE_URL leads to a pooler that hands out connections by transaction (pgbouncer: pool_mode = transaction). Use pool_mode = session, or set CURTAIL_DATABASE_LISTEN_URL to the address of the database itself: what needs a session then goes there.";

const isHandedOn = async (options: pg.ClientConfig): Promise<boolean> => {
  const [one, other] = [new pg.Client(options), new pg.Client(options)];
  // A broken connection fails the statement that needs it; without a listener it would end the process.
  for (const client of [one, other]) client.on("error", () => {});
  try {
    await Promise.all([one.connect(), other.connect()]);
    const mark = crypto.randomUUID();
    await one.query("select set_config('curtail.session', $1, false)", [mark]);
    const { rows } = await other.query<{ mark: string | null }>(
      "select current_setting('curtail.session', true) as mark",
    );
    await one.query("reset curtail.session");
    return rows[0]?.mark === mark;
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
};
