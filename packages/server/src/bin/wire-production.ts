import type pg from "pg";
import { isRefusal } from "../domain/refusal.js";
import { type Disk, withDiskHeeded } from "../operations/heed-disk.js";
import type { WebhookPorts } from "../operations/manage-webhooks.js";
import { lateNotes } from "../operations/note-late-readings.js";
import { type ParticipantService, participantService } from "../operations/participant-service.js";
import type { Ports } from "../operations/ports.js";
import type { PerformanceView } from "../operations/view-performance.js";
import type { Config } from "../runtime/config.js";
import type { Logger } from "../runtime/logger.js";
import type { Metrics } from "../runtime/metrics.js";
import { controllableLoadStore } from "../storage/controllable-load-store.js";
import { dispatchView } from "../storage/dispatch-store.js";
import { meterDirectory } from "../storage/meter-directory.js";
import { meterIntervals } from "../storage/meter-intervals.js";
import type { Stores } from "../storage/stores.js";
import { telemetryReader } from "../storage/telemetry-reader.js";
import { TelemetryWriter } from "../storage/telemetry-writer.js";

export interface ProductionWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly disk: Disk;
  readonly ports: ProductionPorts;
}

type ProductionPorts = Ports<Stores> &
  Omit<WebhookPorts, keyof Ports<unknown>> & { readonly performance: PerformanceView };

/** What participants' systems and people do in production. */
export const wireProduction = ({ config, pool, logger, metrics, disk, ports }: ProductionWiring): ParticipantService =>
  counted(withDiskHeeded(productionService(ports, pool, config), disk), metrics, logger);

const productionService = (ports: ProductionPorts, pool: pg.Pool, { maxReadings }: Config): ParticipantService =>
  participantService({
    ...ports,
    dispatches: dispatchView(pool),
    telemetry: {
      meters: meterDirectory(pool),
      archive: new TelemetryWriter(pool),
      late: lateNotes(ports.stores.late),
      intervals: meterIntervals(pool),
      clock: ports.clock,
      maxReadings,
    },
    controllableLoad: { archive: controllableLoadStore(pool), maxReadings, clock: ports.clock },
    reader: telemetryReader(pool),
  });

const counted = (service: ParticipantService, metrics: Metrics, logger: Logger): ParticipantService => ({
  ...service,
  async changeSchedule(caller, change) {
    const block = await service.changeSchedule(caller, change);
    if (isRefusal(block) && block.code === "not_found") {
      metrics.countRefusedAttempt("schedule");
      const { accountId, actor } = caller;
      logger.warn(
        { accountId, actor, siteId: change.siteId.slice(0, 50) },
        "a schedule change was refused: the account has no such site",
      );
    }
    return block;
  },
  async recordTelemetry(caller, upload) {
    const received = await service.recordTelemetry(caller, upload);
    if (typeof received === "number") metrics.countReadings(received);
    return received;
  },
});
