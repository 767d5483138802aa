import pg from "pg";
import { advisoryLocks } from "./advisory-locks.js";
import { refuseStandby } from "./standby.js";

/** A lock that one process holds for as long as its connection lasts. */
export interface HeldLock {
  /** Takes the lock if it is free; asks the database each time, so that a process that lost it stops. */
  isHeld(): Promise<boolean>;
  /** Frees it. */
  release(): Promise<void>;
}

/** A lock on a connection of its own: its holder may wait for others without holding a transaction open. */
export const heldLock = (options: pg.ClientConfig, lock: keyof typeof advisoryLocks): HeldLock => {
  let client: pg.Client | null = null;
  let holds = false;
  const release = async (): Promise<void> => {
    const ending = client;
    client = null;
    holds = false;
    await ending?.end().catch(() => {});
  };
  const connected = async (): Promise<pg.Client> => {
    if (client !== null) return client;
    const fresh = new pg.Client(options);
    fresh.on("error", () => void release());
    try {
      await fresh.connect();
      // A standby gives its own lock to anybody, whoever has that of the primary.
      await refuseStandby(fresh);
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error;
    }
    client = fresh;
    return fresh;
  };
  return {
    async isHeld() {
      try {
        const connection = await connected();
        if (!holds) {
          const { rows } = await connection.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
            advisoryLocks[lock],
          ]);
          holds = rows[0]?.taken === true;
        } else {
          await connection.query("select");
        }
        return holds && client === connection;
      } catch (error) {
        await release();
        throw error;
      }
    },
    release,
  };
};
