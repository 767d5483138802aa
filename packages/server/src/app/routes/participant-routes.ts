import type { FastifyInstance } from "fastify";
import { logRequests } from "../../access/caller/request-log.js";
import { checkApiKeys } from "../../access/http/api-key-check.js";
import { requestLogRoute } from "../../access/http/logged-requests.js";
import { type CredentialHeader, dispatchRoutes, type TestPorts } from "../../dispatch/http/participant-dispatch.js";
import { dispatchStreamRoute } from "../../dispatch/http/participant-dispatch-stream.js";
import { resendRoute } from "../../notification/http/participant-resend.js";
import { webhookRoutes } from "../../notification/http/participant-webhook.js";
import { ownReportRoutes } from "../../performance/http/participant-report.js";
import { participantPerformanceRoutes } from "../../performance/http/performance.js";
import { ownPerformanceStreamRoute } from "../../performance/http/performance-streams.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { BODY_BYTES, limitBodies } from "../../platform/http/body-limits.js";
import { type ServedVersion, serveVersion } from "../../platform/http/dated-edge.js";
import { scheduleRoutes, siteRoutes } from "../../portfolio/http/participant-site.js";
import { scenarioRoutes } from "../../sandbox/http/participant-scenario.js";
import { ownStatementRoutes } from "../../settlement/http/participant-statement.js";
import { ownMappingProfileRoutes } from "../../telemetry/http/mapping-profile.js";
import { readingRoutes, uploadRoutes } from "../../telemetry/http/participant-telemetry.js";
import type { ParticipantService } from "./participant-service.js";
import type { OperationPorts, ServerPorts } from "./server-ports.js";
import type { LimitedSettings } from "./server-settings.js";

/** The REST interface of one environment. */
export const participantRoutes = (app: FastifyInstance, settings: LimitedSettings, ports: ServerPorts): void => {
  const { participant, operation, following } = ports;
  versionedRoutes(app, settings, ports);
  dispatchStreamRoute(app, following);
  resendRoute(app, participant);
  requestLogRoute(app, participant);
  // The sandbox has no live measurements and no final results. Watching numbers is not reading the dispatch, so it leaves no evidence.
  if (operation === undefined) return;
  ownMappingProfileRoutes(app, operation.operator);
  resultRoutes(app, operation, settings.budget);
};

/** The same operations as an earlier version has them; those that it does not have are left out. */
export const datedRoutes = (
  app: FastifyInstance,
  settings: LimitedSettings,
  ports: ServerPorts,
  served: ServedVersion,
): void => {
  serveVersion(app, served);
  versionedRoutes(app, { ...settings, keyHeader: "Authorization", isBearer: true }, ports);
};

/** What every version has, behind keys. */
const versionedRoutes = (
  app: FastifyInstance,
  settings: LimitedSettings,
  { keys, participant, once, scenarios, noteRequest }: ServerPorts,
): void => {
  if (noteRequest !== undefined) logRequests(app, noteRequest);
  limitBodies(app, BODY_BYTES);
  checkApiKeys(app, settings, { ...keys, windowsOf: settings.windowsOf });
  sharedRoutes(app, participant, { budget: settings.budget, once, credentialHeader: settings.keyHeader });
  webhookRoutes(app, participant);
  uploadRoutes(app, participant, settings);
  if (scenarios !== undefined) scenarioRoutes(app, scenarios, { once: scenarios.once });
};

/** Used by both systems and users of an account. */
export const sharedRoutes = (
  app: FastifyInstance,
  participant: ParticipantService,
  { budget, once, credentialHeader }: TestPorts & CredentialHeader & { readonly budget: AnswerBudget },
): void => {
  dispatchRoutes(app, participant, { once, credentialHeader });
  participantPerformanceRoutes(app, participant, budget);
  siteRoutes(app, participant, credentialHeader);
  scheduleRoutes(app, participant);
  readingRoutes(app, participant, budget);
};

/** What dispatches led to, for both in production. */
export const resultRoutes = (
  app: FastifyInstance,
  { operator, console }: Pick<OperationPorts, "operator" | "console">,
  budget: AnswerBudget,
): void => {
  const { live, clock, stores, measured, sharedIn } = operator;
  ownStatementRoutes(app, { stores, sites: stores.sites, clock, measured, sharedIn });
  ownPerformanceStreamRoute(app, console, { live, clock, sites: stores.sites });
  ownReportRoutes(app, operator, budget);
};
