import { backupAgeSeconds } from "../../backup/domain/backup-state.js";
import { findBackupState } from "../../backup/storage/backup-state-store.js";
import { databaseBytes, gaugesOver } from "../../oversight/storage/gauges.js";
import { kept } from "../../platform/runtime/metrics.js";
import { equalHashes, hashToken } from "../../platform/runtime/secrets.js";
import type { Basis } from "../basis.js";
import type { HealthPorts } from "../routes/health.js";
import { identitiesOf } from "./secret-keys.js";

/** The health endpoints of every listener; the gauges are read with each scrape. */
export const wireHealth = (basis: Basis): HealthPorts => {
  const { config, pool, metrics } = basis;
  metrics.watchPool(pool);
  watchGauges(basis);
  return {
    whyNotReady: () => whyNotReady(basis),
    identity: identitiesOf(basis.secretBox)[0] ?? "",
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

/** The size of a database is that of its files: it is not asked for at each scrape. */
const SIZE_KEPT_MS = 60_000;

const watchGauges = ({ metrics, pool, clock, logger, disk }: Basis): void =>
  metrics.watchGauges(
    [
      ...gaugesOver(pool, clock),
      {
        name: "curtail_database_bytes",
        help: "Size of the database with its indexes, at most a minute old.",
        read: kept(
          () => databaseBytes(pool),
          () => clock.monotonicMs(),
          SIZE_KEPT_MS,
        ),
      },
      {
        name: "curtail_backup_age_seconds",
        help: "Age of the newest daily backup; no sample without one.",
        read: async () => backupAgeSeconds(await findBackupState(pool), clock.now()),
      },
      {
        name: "curtail_disk_free_bytes",
        help: "Free space on the disk of the data directory; no sample if the database is elsewhere.",
        read: async () => (await disk.space())?.freeBytes ?? null,
      },
    ],
    (error, gauge) => logger.warn({ err: error, gauge }, "a gauge could not be read; the metrics omit it"),
  );
