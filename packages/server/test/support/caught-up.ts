import type pg from "pg";
import { vi } from "vitest";
import { followersOver } from "../../src/app/followers.js";
import { withinTransaction } from "../../src/app/stores.js";
import { retailerOf } from "../../src/app/wire/openadr-3-worker.js";
import { closePool, inTransaction, openSandboxPool } from "../../src/platform/database/database.js";
import { FOLLOWER_LAGS } from "../../src/platform/database/follower-store.js";
import { invalid } from "../../src/platform/refusal.js";
import type { Config } from "../../src/platform/runtime/config.js";
import { newId } from "../../src/platform/runtime/secrets.js";
import { rehearsalSources } from "../../src/sandbox/operations/ven-dispatches.js";
import { scenarioStore } from "../../src/sandbox/storage/scenario-store.js";
import type { TestDatabase } from "./database.js";
import type { FakeClock } from "./fake-clock.js";
import { testSecretBox } from "./secret-box.js";

/** Waits until a follower has seen everything that was committed. */
export const caughtUp = (pool: pg.Pool, follower: string, timeoutMs = 10_000): Promise<void> =>
  vi.waitFor(async () => {
    const { rowCount } = await pool.query(
      `select from (${FOLLOWER_LAGS}) as lags where name = $1 and waits_since is not null`,
      [follower],
    );
    if (rowCount !== 0) throw new Error(`${follower} has not seen everything`);
  }, timeoutMs);

/** What the followers of a service would make of the state alone is what there is, once they have seen everything. */
export const nothingToRebuild = async (
  { servicePool }: TestDatabase,
  clock: FakeClock,
  config: Config,
): Promise<void> => {
  const sandbox = openSandboxPool(servicePool, () => {});
  const rehearsals = rehearsalSources(scenarioStore(sandbox));
  const followers = followersOver({
    clock,
    newId,
    rehearsals,
    retailer: retailerOf(config),
    hasMail: false,
    phones: [],
  });
  try {
    for (const follower of followers) {
      // Rolled back: it must not do the follower's work.
      const isRebuilt = async (): Promise<boolean> => {
        let changed = true;
        await inTransaction(servicePool, async (client) => {
          await client.query("select from followers where name = $1 for update", [follower.name]);
          changed = await follower.rebuild(withinTransaction(client, testSecretBox));
          return invalid("only tried");
        });
        return changed;
      };
      await vi.waitFor(async () => {
        // Each try holds the cursor: one after the other would leave the follower none.
        await caughtUp(servicePool, follower.name);
        if (!(await isRebuilt())) return;
        const { rows: faults } = await servicePool.query("select * from follower_faults");
        throw new Error(`${follower.name} had something to rebuild; what it set aside: ${JSON.stringify(faults)}`);
      }, 30_000);
    }
  } finally {
    await closePool(sandbox);
  }
};
