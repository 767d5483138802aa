import type pg from "pg";
import type { LoopClock } from "../platform/clock.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import type { Metrics } from "../platform/runtime/metrics.js";
import { PacedWorker } from "../platform/worker/paced-worker.js";
import { Packing } from "../telemetry/operations/pack-days.js";
import { dayStore } from "../telemetry/storage/day-store.js";

export interface PackingWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly clock: LoopClock;
  readonly metrics: Pick<Metrics, "countPacked" | "countArchived">;
}

/** A day ends once a day, and late readings can be read whether they are packed or not. */
const IDLE_MS = 600_000;

/** Packs days in worker processes, if the setting says after how many days. */
export const wirePacking = ({ config, pool, logger, clock, metrics }: PackingWiring): { stop(): Promise<void> } => {
  const { packAfter: afterDays, packShare, roles } = config;
  if (afterDays === null || !roles.includes("worker")) return { stop: async () => {} };
  const packing = new Packing({ store: dayStore(pool), now: () => clock.now(), afterDays });
  const packer = new PacedWorker({
    step: () => packing.step(),
    clock,
    share: packShare / 100,
    idleMs: IDLE_MS,
    observe: metrics.countPacked,
    onError: (error) =>
      logger.error({ err: error }, "days of telemetry could not be packed; trying again in ten minutes"),
  });
  packer.start();
  return packer;
};
