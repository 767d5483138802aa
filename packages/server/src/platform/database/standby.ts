import type pg from "pg";

/** The database is a standby: it carries out no change, and no other process sees the locks that are taken there. */
class IsStandby extends Error {
  /** What a standby itself answers to a change: the database is away, and the same may succeed soon. */
  readonly code = "25006";

  constructor() {
    super("The database cannot be used: it is a read-only standby; use the address of the primary.");
  }
}

/** A new connection asks once: a server that becomes a standby restarts, which closes its connections. */
const RECOVERY = "select pg_is_in_recovery() as recovery";

/** Throws if a connection leads to a standby, as it may in the middle of a failover. */
export const refuseStandby = async (client: Pick<pg.ClientBase, "query">): Promise<void> => {
  const { rows } = await client.query<{ recovery: boolean }>(RECOVERY);
  if (rows[0]?.recovery !== false) throw new IsStandby();
};
