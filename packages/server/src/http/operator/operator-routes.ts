import type { FastifyInstance } from "fastify";
import { BODY_BYTES, LIST_BODY_BYTES, limitBodies } from "../body-limits.js";
import type { Limits, OperationPorts } from "../server-ports.js";
import { accountRoutes, contactRoutes } from "./account.js";
import { alarmRoutes } from "./alarm.js";
import { auditRoutes } from "./audit.js";
import { changeRoutes } from "./change.js";
import { deliveryRoutes } from "./delivery.js";
import { dispatchRoutes as operatorDispatchRoutes } from "./dispatch.js";
import { dispatchPreviewRoute } from "./dispatch-preview.js";
import { energyRoutes } from "./energy.js";
import { evidenceRoutes } from "./evidence.js";
import { importRoutes } from "./import.js";
import { keyRoutes } from "./key.js";
import { onboardingRoutes } from "./onboarding.js";
import { checkOperators } from "./operator-check.js";
import { overviewRoutes } from "./overview.js";
import { performanceRoutes as operatorPerformanceRoutes } from "./performance.js";
import { performanceStreamRoute as operatorPerformanceStreamRoute } from "./performance-stream.js";
import { enrolmentRoutes, programRoutes } from "./program.js";
import { requestLogRoutes } from "./request-log.js";
import { scenarioRoutes as operatorScenarioRoutes } from "./scenario.js";
import { scheduleRoutes as operatorScheduleRoutes } from "./schedule.js";
import { meterRoutes, siteRoutes as operatorSiteRoutes } from "./site.js";
import { telemetryHealthRoutes } from "./telemetry-health.js";
import { userRoutes } from "./user.js";
import { venCertificateRoutes, venRoutes } from "./ven.js";
import { webhookRoutes as operatorWebhookRoutes } from "./webhook.js";

/** The operator API, behind the token or a session. */
export const operatorRoutes = (
  app: FastifyInstance,
  { budget }: Limits,
  { operator, isOperatorToken, sessions }: OperationPorts,
): void => {
  limitBodies(app, BODY_BYTES);
  const { clock, noteRefused } = sessions;
  checkOperators(app, { isOperatorToken, sessions, clock, noteRefused });
  app.register(async (scope) => {
    limitBodies(scope, LIST_BODY_BYTES);
    importRoutes(scope, operator);
    operatorDispatchRoutes(scope, operator);
    dispatchPreviewRoute(scope, operator);
  });
  overviewRoutes(app, operator);
  accountRoutes(app, operator);
  contactRoutes(app, operator);
  keyRoutes(app, operator);
  requestLogRoutes(app, operator);
  operatorSiteRoutes(app, operator);
  meterRoutes(app, operator);
  programRoutes(app, operator);
  enrolmentRoutes(app, operator);
  operatorScheduleRoutes(app, operator);
  operatorWebhookRoutes(app, operator);
  deliveryRoutes(app, operator);
  venRoutes(app, operator);
  venCertificateRoutes(app, operator);
  evidenceRoutes(app, operator);
  operatorPerformanceRoutes(app, operator);
  operatorPerformanceStreamRoute(app, operator);
  telemetryHealthRoutes(app, operator);
  onboardingRoutes(app, operator);
  energyRoutes(app, operator, budget);
  alarmRoutes(app, operator);
  changeRoutes(app, operator);
  operatorScenarioRoutes(app, operator);
  userRoutes(app, operator);
  auditRoutes(app, operator);
};
