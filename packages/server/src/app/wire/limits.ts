import { randomUUID } from "node:crypto";
import type pg from "pg";
import { type SharedLimits, sharedLimits } from "../../access/caller/shared-limits.js";
import type { Clock } from "../../platform/clock.js";
import { NotifiedCounts } from "../../platform/database/notified-counts.js";
import type { Stopping } from "../basis.js";

const SWEEP_MS = 60_000;

interface WiredLimits extends Stopping {
  readonly limits: SharedLimits;
  /** To be given the notifications of other processes. */
  readonly counts: NotifiedCounts;
}

/** @param pool one that never waits behind uploads */
export const wireLimits = (pool: pg.Pool, clock: Clock): WiredLimits => {
  const counts = new NotifiedCounts({ pool, name: randomUUID() });
  const limits = sharedLimits(counts, clock);
  const sweeping = setInterval(() => limits.sweep(), SWEEP_MS);
  return {
    limits,
    counts,
    async stop() {
      clearInterval(sweeping);
      await counts.stop();
    },
  };
};
