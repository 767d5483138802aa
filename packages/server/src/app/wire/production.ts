import { dispatchView } from "../../dispatch/storage/dispatch-view.js";
import type { WebhookPorts } from "../../notification/operations/manage-webhooks.js";
import type { PerformanceView } from "../../performance/operations/report/view-performance.js";
import type { Ports } from "../../platform/ports.js";
import { isRefusal } from "../../platform/refusal.js";
import type { Logger } from "../../platform/runtime/logger.js";
import type { Metrics } from "../../platform/runtime/metrics.js";
import { isLogging } from "../../telemetry/domain/fold-after.js";
import type { LateNotes } from "../../telemetry/operations/record-telemetry.js";
import { refusingWhenDiskFull } from "../../telemetry/operations/refuse-when-full.js";
import { chargeMeters } from "../../telemetry/storage/charge-meters.js";
import { controllableLoadStore } from "../../telemetry/storage/controllable-load-store.js";
import { meterDirectory } from "../../telemetry/storage/meter-directory.js";
import { meterIntervals } from "../../telemetry/storage/meter-intervals.js";
import { telemetryReader } from "../../telemetry/storage/telemetry-reader.js";
import { TelemetryWriter } from "../../telemetry/storage/telemetry-writer.js";
import type { Basis } from "../basis.js";
import { type ParticipantService, participantService } from "../routes/participant-service.js";
import type { Stores } from "../stores.js";

interface ProductionWiring extends Basis {
  readonly ports: ProductionPorts;
  readonly late: LateNotes;
}

type ProductionPorts = Ports<Stores> &
  Omit<WebhookPorts, keyof Ports<unknown>> & { readonly performance: PerformanceView };

/** The participants' interface in production, for systems and people. */
export const wireProduction = (wiring: ProductionWiring): ParticipantService =>
  counted(refusingWhenDiskFull(productionService(wiring), wiring.disk), wiring.metrics, wiring.logger);

const productionService = ({
  ports,
  pool,
  late,
  config: { maxReadings, keepTelemetry: keepDays, foldAfter },
}: ProductionWiring): ParticipantService =>
  participantService({
    ...ports,
    dispatches: dispatchView(pool),
    telemetry: {
      meters: meterDirectory(pool),
      chargeMeters: chargeMeters(pool),
      archive: new TelemetryWriter(pool, isLogging(foldAfter)),
      late,
      intervals: meterIntervals(pool),
      clock: ports.clock,
      maxReadings,
      keepDays,
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
    if (!isRefusal(received)) metrics.countReadings(received.received);
    return received;
  },
});
