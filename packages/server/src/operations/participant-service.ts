import { type DispatchService, type DispatchServicePorts, dispatchService } from "./dispatch-service.js";
import type { WebhookPorts } from "./manage-webhooks.js";
import { type PerformanceService, type PerformanceServicePorts, performanceService } from "./performance-service.js";
import { type SiteService, siteService } from "./site-service.js";
import { type TelemetryService, type TelemetryServicePorts, telemetryService } from "./telemetry-service.js";
import { type WebhookService, webhookService } from "./webhook-service.js";

/** Everything a participant can ask of one environment. */
export type ParticipantService = DispatchService & PerformanceService & SiteService & TelemetryService & WebhookService;

export type ParticipantPorts = DispatchServicePorts &
  Pick<PerformanceServicePorts, "performance"> &
  Omit<TelemetryServicePorts, "sites"> &
  WebhookPorts;

/** The operations over one environment's ports. */
export const participantService = (ports: ParticipantPorts): ParticipantService => {
  const { sites } = ports.stores;
  return {
    ...dispatchService(ports),
    ...performanceService({ ...ports, sites }),
    ...siteService(ports),
    ...telemetryService({ ...ports, sites }),
    ...webhookService(ports),
  };
};
