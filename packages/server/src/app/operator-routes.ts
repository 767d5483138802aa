import type { FastifyInstance } from "fastify";
import { accountRoutes, contactRoutes } from "../access/http/operator-account.js";
import { auditRoutes } from "../access/http/operator-audit.js";
import { checkOperators } from "../access/http/operator-check.js";
import { keyRoutes } from "../access/http/operator-key.js";
import { requestLogRoutes } from "../access/http/operator-request-log.js";
import { userRoutes } from "../access/http/operator-user.js";
import { dispatchRoutes as operatorDispatchRoutes } from "../dispatch/http/operator-dispatch.js";
import { deliveryRoutes } from "../notification/http/operator-delivery.js";
import { dispatchPreviewRoute } from "../notification/http/operator-dispatch-preview.js";
import { evidenceRoutes } from "../notification/http/operator-evidence.js";
import { webhookRoutes as operatorWebhookRoutes } from "../notification/http/operator-webhook.js";
import { phoneRoutes } from "../notification/http/phone.js";
import { venCertificateRoutes, venRoutes } from "../openadr/http/operator-ven.js";
import { alarmRoutes } from "../oversight/http/operator-alarm.js";
import { changeRoutes } from "../oversight/http/operator-change.js";
import { importRoutes } from "../oversight/http/operator-import.js";
import { onboardingRoutes } from "../oversight/http/operator-onboarding.js";
import { overviewRoutes } from "../oversight/http/operator-overview.js";
import { searchRoutes } from "../oversight/http/operator-search.js";
import { accuracyRoute } from "../performance/http/operator-accuracy.js";
import { dispatchResultRoutes } from "../performance/http/operator-dispatch-result.js";
import { excludedDayRoutes } from "../performance/http/operator-excluded-day.js";
import { performanceRoutes as operatorPerformanceRoutes } from "../performance/http/operator-performance.js";
import { performanceStreamRoute as operatorPerformanceStreamRoute } from "../performance/http/operator-performance-stream.js";
import { reportRoutes } from "../performance/http/operator-report.js";
import { BODY_BYTES, LIST_BODY_BYTES, limitBodies } from "../platform/http/body-limits.js";
import { enrolmentRoutes, programRoutes } from "../portfolio/http/operator-program.js";
import { scheduleRoutes as operatorScheduleRoutes } from "../portfolio/http/operator-schedule.js";
import { meterRoutes, siteRoutes as operatorSiteRoutes } from "../portfolio/http/operator-site.js";
import { scenarioRoutes as operatorScenarioRoutes } from "../sandbox/http/operator-scenario.js";
import { statementRoutes } from "../settlement/http/operator-statement.js";
import { termsRoutes } from "../settlement/http/operator-terms.js";
import { energyRoutes } from "../telemetry/http/operator-energy.js";
import { meterDataRoutes } from "../telemetry/http/operator-meter-data.js";
import { telemetryHealthRoutes } from "../telemetry/http/operator-telemetry-health.js";
import type { Limits, OperationPorts } from "./server-ports.js";

/** The operator API, behind the token or a session. */
export const operatorRoutes = (
  app: FastifyInstance,
  { budget, bodies, imports }: Limits,
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
  searchRoutes(app, operator);
  accountRoutes(app, operator, budget);
  contactRoutes(app, operator);
  phoneRoutes(app, operator);
  keyRoutes(app, operator);
  requestLogRoutes(app, operator);
  operatorSiteRoutes(app, operator, budget);
  meterRoutes(app, operator);
  programRoutes(app, operator);
  enrolmentRoutes(app, operator);
  operatorScheduleRoutes(app, operator);
  operatorWebhookRoutes(app, operator);
  deliveryRoutes(app, operator);
  venRoutes(app, operator);
  venCertificateRoutes(app, operator);
  evidenceRoutes(app, operator, budget);
  operatorPerformanceRoutes(app, operator, budget);
  operatorPerformanceStreamRoute(app, operator);
  accuracyRoute(app, operator);
  termsRoutes(app, operator);
  statementRoutes(app, operator);
  excludedDayRoutes(app, operator);
  reportRoutes(app, operator, budget);
  dispatchResultRoutes(app, operator, budget);
  telemetryHealthRoutes(app, operator);
  onboardingRoutes(app, operator);
  energyRoutes(app, operator, budget);
  meterDataRoutes(app, operator, { bodies, imports });
  alarmRoutes(app, operator);
  changeRoutes(app, operator);
  operatorScenarioRoutes(app, operator);
  userRoutes(app, operator);
  auditRoutes(app, operator);
};
