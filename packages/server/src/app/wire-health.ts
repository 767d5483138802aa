import type pg from "pg";
import {
  followerFaults,
  followerLags,
  oldestUndeliveredSeconds,
  openAlarms,
  unreachedDispatchAccounts,
} from "../oversight/storage/gauges.js";
import type { Clock } from "../platform/clock.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import type { Metrics } from "../platform/runtime/metrics.js";
import { equalHashes, hashToken } from "../platform/runtime/secrets.js";
import type { Disk } from "../telemetry/operations/refuse-when-full.js";
import type { HealthPorts } from "./health.js";

export interface HealthWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly disk: Disk;
}

/** The health endpoints of every listener; the gauges are read with each scrape. */
export const wireHealth = (wiring: HealthWiring): HealthPorts => {
  const { config, pool, metrics } = wiring;
  metrics.watchPool(pool);
  watchGauges(wiring);
  return {
    whyNotReady: () => whyNotReady(pool),
    metrics: () => metrics.render(),
    isMetricsToken: metricsTokenCheck(config.metricsToken),
  };
};

const whyNotReady = async (pool: pg.Pool): Promise<string | null> => {
  try {
    await pool.query("select 1");
    return null;
  } catch {
    return "the database does not respond";
  }
};

const metricsTokenCheck = (expected: string | null): HealthPorts["isMetricsToken"] => {
  if (expected === null) return null;
  const hash = hashToken(expected);
  return (token) => equalHashes(hash, hashToken(token));
};

const watchGauges = ({ metrics, pool, clock, logger, disk }: HealthWiring): void =>
  metrics.watchGauges(
    {
      oldestUndeliveredSeconds: () => oldestUndeliveredSeconds(pool, clock.now()),
      unreachedDispatchAccounts: () => unreachedDispatchAccounts(pool),
      diskFreeBytes: async () => (await disk.space())?.freeBytes ?? null,
      openAlarms: () => openAlarms(pool),
      followerLagSeconds: () => followerLags(pool, clock.now()),
      followerFaults: () => followerFaults(pool),
    },
    (error, gauge) => logger.warn({ err: error, gauge }, "a gauge could not be read; the metrics omit it"),
  );
