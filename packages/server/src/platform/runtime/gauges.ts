import { Gauge, type Registry } from "prom-client";

/** Read at each scrape: how well participants are reached. */
export interface GaugeReaders {
  readonly oldestUndeliveredSeconds: () => Promise<number>;
  readonly unreachedDispatchAccounts: () => Promise<number>;
  /** On the disk of the data directory; null if unknown. */
  readonly diskFreeBytes: () => Promise<number | null>;
  /** Count by kind. */
  readonly openAlarms: () => Promise<ReadonlyMap<string, number>>;
  /** By follower. */
  readonly followerLagSeconds: () => Promise<ReadonlyMap<string, number>>;
  readonly followerFaults: () => Promise<ReadonlyMap<string, number>>;
}

export const watchGauges = (
  readers: GaugeReaders,
  onError: (error: unknown, gauge: string) => void,
  registers: Registry[],
): void => {
  const gauges: readonly ReadGauge[] = [
    {
      name: "curtail_oldest_undelivered_notice_seconds",
      help: "Age of the oldest due notice that is not delivered; 0 if there is none. Includes every notice.",
      read: single(readers.oldestUndeliveredSeconds),
    },
    {
      name: "curtail_unreached_dispatch_accounts",
      help: "Accounts that no webhook, poll, VEN or mail has notified of a dispatch in time, counted once per dispatch, until they are notified or the alarm is acknowledged.",
      read: single(readers.unreachedDispatchAccounts),
    },
    {
      name: "curtail_disk_free_bytes",
      help: "Free space on the disk of the data directory; no sample if the database is elsewhere.",
      read: async (gauge) => {
        const bytes = await readers.diskFreeBytes();
        if (bytes !== null) gauge.set(bytes);
      },
    },
    {
      name: "curtail_open_alarms",
      help: "Open alarms, not acknowledged and not cleared, by kind.",
      ...byLabel("kind", readers.openAlarms),
    },
    {
      name: "curtail_follower_lag_seconds",
      help: "How long the oldest change waits to be followed, by follower; 0 if all were. Without those that fail again and again.",
      ...byLabel("follower", readers.followerLagSeconds),
    },
    {
      name: "curtail_follower_faults",
      help: "Changes that a follower could not follow and tries again, with later ones that wait for them, by follower.",
      ...byLabel("follower", readers.followerFaults),
    },
  ];
  for (const gauge of gauges) showWhileReadable(gauge, onError, registers);
};

const single = (read: () => Promise<number>) => async (gauge: Gauge) => gauge.set(await read());

const byLabel = (
  label: string,
  read: () => Promise<ReadonlyMap<string, number>>,
): Pick<ReadGauge, "labelNames" | "read"> => ({
  labelNames: [label],
  read: async (gauge) => {
    for (const [value, number] of await read()) gauge.set({ [label]: value }, number);
  },
});

interface ReadGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly read: (gauge: Gauge) => Promise<void>;
}

/** No sample is better than an old one or a 0 that was never read. */
const showWhileReadable = (
  { name, help, labelNames = [], read }: ReadGauge,
  onError: (error: unknown, gauge: string) => void,
  registers: Registry[],
): void => {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers,
    async collect() {
      gauge.reset();
      if (labelNames.length === 0) gauge.remove();
      await read(gauge).catch((error: unknown) => onError(error, name));
    },
  });
};
