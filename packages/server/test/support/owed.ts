import { storesOver, transactOver } from "../../src/app/stores.js";
import { escalateOwed } from "../../src/notification/operations/escalate-owed.js";
import type { Running } from "./running.js";
import { testSecretBox } from "./secret-box.js";

/** Checks everything owed now, so that accounts not mailed then are not mailed at all. */
export const lookOnce = async (on: Running): Promise<void> => {
  const { pool } = on.database;
  const ports = {
    stores: storesOver(pool, testSecretBox),
    transact: transactOver(pool, testSecretBox),
    clock: on.clock,
    servingSince: new Date(0),
  };
  const isTurn = async () => {
    const { rows } = await pool.query("select count(*)::int as count from notices where owed_look_at <= $1", [
      on.clock.now(),
    ]);
    return rows[0].count > 0;
  };
  // The service's watch may be checking at the same time; in the end everything is checked.
  while (await isTurn()) await escalateOwed(ports);
};
