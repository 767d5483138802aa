import { randomUUID } from "node:crypto";
import type pg from "pg";
import { type SharedLimits, sharedLimits } from "../../access/caller/shared-limits.js";
import type { LoopClock } from "../../platform/clock.js";
import { NotifiedCounts } from "../../platform/database/notified-counts.js";
import { Polling } from "../../platform/polling.js";
import type { Stopping } from "../basis.js";

const SWEEP_MS = 60_000;

interface WiredLimits extends Stopping {
  readonly limits: SharedLimits;
  /** To be given the notifications of other processes. */
  readonly counts: NotifiedCounts;
}

/** @param pool one that never waits behind uploads */
export const wireLimits = (pool: pg.Pool, clock: LoopClock): WiredLimits => {
  const counts = new NotifiedCounts({ pool, name: randomUUID() });
  const limits = sharedLimits(counts, clock);
  const sweeping = new Polling({
    look: async () => limits.sweep(),
    onError: () => {},
    clock,
    everyMs: SWEEP_MS,
    restsFirst: true,
  });
  sweeping.start();
  return {
    limits,
    counts,
    async stop() {
      await Promise.all([sweeping.stop(), counts.stop()]);
    },
  };
};
