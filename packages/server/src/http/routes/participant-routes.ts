import type { FastifyInstance } from "fastify";
import type { ParticipantService } from "../../operations/participant-service.js";
import type { AnswerBudget } from "../answer-budget.js";
import { checkApiKeys } from "../api-key-check.js";
import { BODY_BYTES, limitBodies } from "../body-limits.js";
import { logRequests } from "../request-log.js";
import type { LimitedSettings, ServerPorts } from "../server-ports.js";
import { dispatchRoutes, type TestPorts } from "./dispatch.js";
import { performanceRoutes } from "./performance.js";
import { performanceStreamRoute } from "./performance-stream.js";
import { scenarioRoutes } from "./scenario.js";
import { scheduleRoutes } from "./schedule.js";
import { siteRoutes } from "./site.js";
import { readingRoutes, uploadRoutes } from "./telemetry.js";
import { webhookRoutes } from "./webhook.js";

/** The REST interface of one environment. */
export const participantRoutes = (
  app: FastifyInstance,
  settings: LimitedSettings,
  { keys, participant, once, scenarios, operation, noteRequest }: ServerPorts,
): void => {
  const { budget } = settings;
  if (noteRequest !== undefined) logRequests(app, noteRequest);
  limitBodies(app, BODY_BYTES);
  checkApiKeys(app, settings, keys);
  sharedRoutes(app, participant, { budget, once });
  webhookRoutes(app, participant);
  // The sandbox measures nothing that could change. Who watches numbers has not read the dispatch: no evidence of it.
  if (operation !== undefined) {
    const { console, operator } = operation;
    performanceStreamRoute(app, console, { live: operator.live, sites: operator.stores.sites });
  }
  uploadRoutes(app, participant, settings);
  if (scenarios !== undefined) scenarioRoutes(app, scenarios, { once: scenarios.once });
};

/** What systems and people of an account both use. */
export const sharedRoutes = (
  app: FastifyInstance,
  participant: ParticipantService,
  { budget, once }: TestPorts & { readonly budget: AnswerBudget },
): void => {
  dispatchRoutes(app, participant, { once });
  performanceRoutes(app, participant);
  siteRoutes(app, participant);
  scheduleRoutes(app, participant);
  readingRoutes(app, participant, budget);
};
