import {
  type RequestLogService,
  type RequestLogStore,
  requestLogService,
} from "../../access/operations/log-requests.js";
import {
  type DispatchService,
  type DispatchServicePorts,
  dispatchService,
} from "../../dispatch/operations/dispatch-service.js";
import {
  type WebhookService,
  type WebhookServicePorts,
  webhookService,
} from "../../notification/operations/webhook-service.js";
import {
  type PerformanceService,
  type PerformanceServicePorts,
  performanceService,
} from "../../performance/operations/report/performance-service.js";
import { type SiteService, siteService } from "../../portfolio/operations/site-service.js";
import {
  type TelemetryService,
  type TelemetryServicePorts,
  telemetryService,
} from "../../telemetry/operations/telemetry-service.js";

/** All of participants' requests in one environment. */
export type ParticipantService = DispatchService &
  PerformanceService &
  RequestLogService &
  SiteService &
  TelemetryService &
  WebhookService;

export type ParticipantPorts = DispatchServicePorts &
  Pick<PerformanceServicePorts, "performance"> &
  Omit<TelemetryServicePorts, "sites"> &
  WebhookServicePorts & { readonly stores: { readonly requests: RequestLogStore } };

/** The operations with one environment's ports. */
export const participantService = (ports: ParticipantPorts): ParticipantService => {
  const { sites } = ports.stores;
  return {
    ...dispatchService(ports),
    ...performanceService({ ...ports, sites }),
    ...requestLogService(ports),
    ...siteService(ports),
    ...telemetryService({ ...ports, sites }),
    ...webhookService(ports),
  };
};
