import {
  followerFaults,
  followerLags,
  oldestUndeliveredSeconds,
  openAlarms,
  unreachedDispatchAccounts,
} from "../../oversight/storage/gauges.js";
import { equalHashes, hashToken } from "../../platform/runtime/secrets.js";
import type { Basis } from "../basis.js";
import type { HealthPorts } from "../routes/health.js";

/** The health endpoints of every listener; the gauges are read with each scrape. */
export const wireHealth = (basis: Basis): HealthPorts => {
  const { config, pool, metrics } = basis;
  metrics.watchPool(pool);
  watchGauges(basis);
  return {
    whyNotReady: () => whyNotReady(basis),
    metrics: () => metrics.render(),
    isMetricsToken: metricsTokenCheck(config.metricsToken),
  };
};

const whyNotReady = async ({ pool }: Basis): Promise<string | null> => {
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

const watchGauges = ({ metrics, pool, clock, logger, disk }: Basis): void =>
  metrics.watchGauges(
    [
      {
        name: "curtail_oldest_undelivered_notice_seconds",
        help: "Age of the oldest due notice that is not delivered; 0 if there is none. Includes every notice.",
        read: () => oldestUndeliveredSeconds(pool, clock.now()),
      },
      {
        name: "curtail_unreached_dispatch_accounts",
        help: "Accounts that no webhook, poll, VEN or mail has notified of a dispatch in time, counted once per dispatch, until they are notified or the alarm is acknowledged.",
        read: () => unreachedDispatchAccounts(pool),
      },
      {
        name: "curtail_disk_free_bytes",
        help: "Free space on the disk of the data directory; no sample if the database is elsewhere.",
        read: async () => (await disk.space())?.freeBytes ?? null,
      },
      {
        name: "curtail_open_alarms",
        help: "Open alarms, not acknowledged and not cleared, by kind.",
        label: "kind",
        read: () => openAlarms(pool),
      },
      {
        name: "curtail_follower_lag_seconds",
        help: "How long the oldest change waits to be followed, by follower; 0 if all were. Without those that fail again and again.",
        label: "follower",
        read: () => followerLags(pool, clock.now()),
      },
      {
        name: "curtail_follower_faults",
        help: "Changes that a follower could not follow and tries again, with later ones that wait for them, by follower.",
        label: "follower",
        read: () => followerFaults(pool),
      },
    ],
    (error, gauge) => logger.warn({ err: error, gauge }, "a gauge could not be read; the metrics omit it"),
  );
