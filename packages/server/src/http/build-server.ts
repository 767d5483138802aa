import { authDocument, consoleDocument, operatorDocument, participantDocument, VERSION } from "@curtail/contract";
import cookie from "@fastify/cookie";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { AnsweredRequest } from "../operations/log-requests.js";
import type { ParticipantService } from "../operations/participant-service.js";
import type { ScenarioService } from "../operations/scenario-service.js";
import type { IdentityProvider } from "../operations/sign-in-by-identity.js";
import { AnswerBudget } from "./answer-budget.js";
import { checkApiKeys, type KeyCheckPorts, type KeyCheckSettings } from "./api-key-check.js";
import { BODY_BYTES, KEYLESS_BODY_BYTES, LIST_BODY_BYTES, limitBodies } from "./body-limits.js";
import { compressAnswers } from "./compression.js";
import { ownAccountRoutes, type ServiceAddresses } from "./console/account.js";
import { ownChangeRoutes } from "./console/change.js";
import { checkParticipants } from "./console/console-check.js";
import { ownContactRoutes } from "./console/contact.js";
import { ownDispatchRoutes } from "./console/dispatch.js";
import { ownEnergyRoutes } from "./console/energy.js";
import { ownEvidenceRoutes } from "./console/evidence.js";
import { ownKeyRoutes } from "./console/key.js";
import { ownOnboardingRoutes } from "./console/onboarding.js";
import { accountOverviewRoutes } from "./console/overview.js";
import { ownRequestLogRoutes } from "./console/request-log.js";
import { ownScheduleRoutes } from "./console/schedule.js";
import { ownUserRoutes } from "./console/user.js";
import { ownDeliveryRoutes, ownWebhookRoutes } from "./console/webhook.js";
import { answer, answerErrors, brokenRequestAnswerer, HttpError } from "./error-replies.js";
import { takeJsonBodies } from "./json-body.js";
import { OpenBodies } from "./open-bodies.js";
import { accountRoutes, contactRoutes } from "./operator/account.js";
import { alarmRoutes } from "./operator/alarm.js";
import { auditRoutes } from "./operator/audit.js";
import { changeRoutes } from "./operator/change.js";
import { deliveryRoutes } from "./operator/delivery.js";
import { dispatchRoutes as operatorDispatchRoutes } from "./operator/dispatch.js";
import { energyRoutes } from "./operator/energy.js";
import { evidenceRoutes } from "./operator/evidence.js";
import { importRoutes } from "./operator/import.js";
import { keyRoutes } from "./operator/key.js";
import { onboardingRoutes } from "./operator/onboarding.js";
import { checkOperators } from "./operator/operator-check.js";
import type { OperatorPorts } from "./operator/operator-ports.js";
import { overviewRoutes } from "./operator/overview.js";
import { performanceRoutes as operatorPerformanceRoutes } from "./operator/performance.js";
import { performanceStreamRoute as operatorPerformanceStreamRoute } from "./operator/performance-stream.js";
import { enrolmentRoutes, programRoutes } from "./operator/program.js";
import { requestLogRoutes } from "./operator/request-log.js";
import { scenarioRoutes as operatorScenarioRoutes } from "./operator/scenario.js";
import { scheduleRoutes as operatorScheduleRoutes } from "./operator/schedule.js";
import { meterRoutes, siteRoutes as operatorSiteRoutes } from "./operator/site.js";
import { telemetryHealthRoutes } from "./operator/telemetry-health.js";
import { userRoutes } from "./operator/user.js";
import { venCertificateRoutes, venRoutes } from "./operator/ven.js";
import { webhookRoutes as operatorWebhookRoutes } from "./operator/webhook.js";
import { answerOtherAddresses, answerOtherOperatorAddresses } from "./redirects.js";
import { logRequests } from "./request-log.js";
import { addHeaders, headersFor } from "./response-headers.js";
import { claimRoutes } from "./routes/claim.js";
import { type ClaimCertificate, type ClaimKey, certificateClaims, keyClaims } from "./routes/claim-kinds.js";
import { dispatchRoutes } from "./routes/dispatch.js";
import { type HealthPorts, healthRoutes } from "./routes/health.js";
import { invitationRoutes } from "./routes/invitation.js";
import { oidcRoutes } from "./routes/oidc.js";
import { takeForms } from "./routes/one-time-page.js";
import { pageAddresses, pageRoutes } from "./routes/pages.js";
import { performanceRoutes } from "./routes/performance.js";
import { performanceStreamRoute } from "./routes/performance-stream.js";
import { referenceRoutes, viewerRoutes } from "./routes/reference.js";
import { scenarioRoutes } from "./routes/scenario.js";
import { scheduleRoutes } from "./routes/schedule.js";
import { authRoutes, type SessionRoutePorts } from "./routes/session.js";
import { siteRoutes } from "./routes/site.js";
import { readingRoutes, type UploadSettings, uploadRoutes } from "./routes/telemetry.js";
import { webhookRoutes } from "./routes/webhook.js";
import { readOnAfterRefusal } from "./unread-body.js";
import { compileSchema } from "./validation.js";

export type ServerSettings = KeyCheckSettings & {
  /** Of an upload. */
  readonly maxBodyBytes: number;
  /** Address under which people reach the service; null: made from the address that is listened on. */
  readonly publicUrl: string | null;
  /** Networks whose x-forwarded-for is believed: else everybody behind a proxy shares the limits of an address. */
  readonly trustedProxies: readonly string[];
};

/** What every listener has: the participants' interface over one environment. */
export interface ServerPorts {
  readonly logger: FastifyBaseLogger;
  readonly keys: KeyCheckPorts;
  readonly participant: ParticipantService;
  /** On the sandbox listener. */
  readonly scenarios?: ScenarioService;
  /** The operator's side, on the production listener. */
  readonly operation?: OperationPorts;
  readonly health: HealthPorts;
  /** Told of every answer to a key's request; on the production listener. */
  readonly noteRequest?: (request: AnsweredRequest) => void;
  /** Told of every answer: route pattern, method, status, seconds taken. */
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
}

/** Whom a listener of production serves: both, or one where operators have a port of their own. */
export type Side = "both" | "participants" | "operators";

export interface OperationPorts {
  readonly side: Side;
  readonly operator: OperatorPorts;
  readonly isOperatorToken: (token: string) => Promise<boolean>;
  readonly claimKey: ClaimKey;
  readonly sessions: SessionRoutePorts;
  /** null: no single sign-on. */
  readonly identityProvider: IdentityProvider | null;
  /** What participants' people use: they read for themselves, which is no evidence that their systems were told. */
  readonly console: ParticipantService;
  readonly claimCertificate: ClaimCertificate;
  /** Folder of the built web pages; null: there are none. */
  readonly pages: string | null;
  /** Where participants' systems connect to, once somebody listens. */
  readonly addresses: () => ServiceAddresses;
}

/** What all routes of a listener share. */
interface Limits extends Pick<UploadSettings, "bodies"> {
  readonly budget: AnswerBudget;
}

const HEADERS_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
const DRAIN_CHECK_MS = 100;
const OPERATOR_BASE = "/operator/v1";
const CONSOLE_BASE = "/console/v1";
const AUTH_BASE = "/auth";

/** Builds a listener, of production or the sandbox: the only way to make a server, in tests as in life. */
export const buildServer = async (settings: ServerSettings, ports: ServerPorts): Promise<FastifyInstance> => {
  const bodies = new OpenBodies();
  const app = bareServer(settings, ports, bodies);
  app.addHook("onResponse", async (request, reply) => {
    ports.observe(request.routeOptions.url ?? "none", request.method, reply.statusCode, reply.elapsedTime / 1000);
  });
  closeConnectionsAsTheyFallIdle(app);
  healthRoutes(app, ports.health);
  await viewerRoutes(app);
  const limited = { ...settings, bodies, budget: new AnswerBudget() };
  if (ports.operation?.side === "operators") answerOtherOperatorAddresses(app, `${OPERATOR_BASE}/docs`);
  else await addParticipants(app, limited, ports);
  if (ports.operation !== undefined) await addOperation(app, limited, ports.operation);
  return app;
};

type LimitedSettings = ServerSettings & Limits;

const addParticipants = async (app: FastifyInstance, settings: LimitedSettings, ports: ServerPorts): Promise<void> => {
  answerOtherAddresses(app);
  referenceRoutes(app, `/${VERSION}`, "Curtail", participantDocument(settings.keyHeader));
  await app.register(async (scope) => participantRoutes(scope, settings, ports), { prefix: `/${VERSION}` });
};

const addOperation = async (app: FastifyInstance, settings: LimitedSettings, ports: OperationPorts): Promise<void> => {
  const servesOperators = ports.side !== "participants";
  const servesParticipants = ports.side !== "operators";
  if (ports.pages !== null) {
    const { everybody, participants, operators } = pageAddresses;
    const addresses = [
      ...everybody,
      ...(servesParticipants ? participants : []),
      ...(servesOperators ? operators : []),
    ];
    await pageRoutes(app, ports.pages, addresses);
  }
  if (servesOperators) referenceRoutes(app, OPERATOR_BASE, "Curtail operator API", operatorDocument());
  if (servesParticipants) referenceRoutes(app, CONSOLE_BASE, "Curtail console", consoleDocument());
  referenceRoutes(app, AUTH_BASE, "Curtail sessions", authDocument());
  await app.register(async (scope) => {
    takeForms(scope, settings.bodies);
    if (servesParticipants) claimRoutes(scope, [keyClaims(ports.claimKey), certificateClaims(ports.claimCertificate)]);
    invitationRoutes(scope, ports.sessions);
  });
  // Cookies are read in here only: the participants' interface knows keys and nothing else.
  await app.register(async (scope) => {
    await scope.register(cookie);
    if (servesOperators)
      await scope.register(async (inner) => operatorRoutes(inner, settings, ports), { prefix: OPERATOR_BASE });
    if (servesParticipants)
      await scope.register(async (inner) => consoleRoutes(inner, settings, ports), { prefix: CONSOLE_BASE });
    await scope.register(async (inner) => sessionRoutes(inner, ports), { prefix: AUTH_BASE });
  });
};

const bareServer = (settings: ServerSettings, { logger }: ServerPorts, bodies: OpenBodies): FastifyInstance => {
  const headers = headersFor(settings.publicUrl);
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: KEYLESS_BODY_BYTES,
    trustProxy: settings.trustedProxies.length > 0 && [...settings.trustedProxies],
    // Longer ids than any of ours are looked up and not found, like every other unknown id.
    routerOptions: { maxParamLength: 16_384 },
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 1000, requireHostHeader: false },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: (error, request, reply) => void answer(error, request, reply.headers(headers)),
    clientErrorHandler: brokenRequestAnswerer(headers),
  });
  addHeaders(app, headers);
  // Node's own answers to these two have no body: a missing Host is ours to refuse, an unknown Expect may be ignored.
  app.addHook("onRequest", async ({ headers, raw }) => {
    if (headers.host === undefined && raw.httpVersion === "1.1")
      throw new HttpError(400, "the request has no Host header; HTTP/1.1 needs one");
  });
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.setValidatorCompiler(compileSchema);
  app.setSerializerCompiler(() => JSON.stringify);
  takeJsonBodies(app, bodies);
  compressAnswers(app);
  // After compression, which would hold the answer back until the body is read.
  readOnAfterRefusal(app);
  answerErrors(app);
  return app;
};

/** A connection that is busy when the drain begins falls idle later; it must not hold up the end for 15 seconds. */
const closeConnectionsAsTheyFallIdle = (app: FastifyInstance): void => {
  app.addHook("preClose", async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), DRAIN_CHECK_MS);
    app.server.once("close", () => clearInterval(timer));
  });
};

const participantRoutes = (
  app: FastifyInstance,
  settings: LimitedSettings,
  { keys, participant, scenarios, operation, noteRequest }: ServerPorts,
): void => {
  const { budget } = settings;
  if (noteRequest !== undefined) logRequests(app, noteRequest);
  limitBodies(app, BODY_BYTES);
  checkApiKeys(app, settings, keys);
  sharedRoutes(app, participant, budget);
  webhookRoutes(app, participant);
  // The sandbox measures nothing that could change. Who watches numbers has not read the dispatch: no evidence of it.
  if (operation !== undefined) {
    const { console, operator } = operation;
    performanceStreamRoute(app, console, { live: operator.live, displayed: async () => null });
  }
  uploadRoutes(app, participant, settings);
  if (scenarios !== undefined) scenarioRoutes(app, scenarios);
};

/** What systems and people of an account both use. */
const sharedRoutes = (app: FastifyInstance, participant: ParticipantService, budget: AnswerBudget): void => {
  dispatchRoutes(app, participant);
  performanceRoutes(app, participant);
  siteRoutes(app, participant);
  scheduleRoutes(app, participant);
  readingRoutes(app, participant, budget);
};

const consoleRoutes = (app: FastifyInstance, settings: LimitedSettings, ports: OperationPorts): void => {
  const { budget } = settings;
  limitBodies(app, BODY_BYTES);
  checkParticipants(app, settings, ports.sessions);
  sharedRoutes(app, ports.console, budget);
  const { live, stores, changes } = ports.operator;
  performanceStreamRoute(app, ports.console, { live, displayed: (accountId) => stores.sites.displayed(accountId) });
  ownAccountRoutes(app, ports.operator, { addresses: ports.addresses, keyHeader: settings.keyHeader });
  ownChangeRoutes(app, changes);
  accountOverviewRoutes(app, ports.operator);
  ownOnboardingRoutes(app, ports.operator);
  ownDispatchRoutes(app, ports.operator);
  ownEnergyRoutes(app, ports.operator, budget);
  ownWebhookRoutes(app, ports.operator, ports.console);
  ownDeliveryRoutes(app, ports.operator, ports.console);
  ownKeyRoutes(app, ports.operator);
  ownRequestLogRoutes(app, ports.operator);
  ownContactRoutes(app, ports.operator);
  ownScheduleRoutes(app, ports.operator);
  ownEvidenceRoutes(app, ports.operator, ports.console);
  ownUserRoutes(app, ports.operator);
};

const sessionRoutes = (app: FastifyInstance, { sessions, identityProvider }: OperationPorts): void => {
  authRoutes(app, sessions, { hasSingleSignOn: identityProvider !== null });
  if (identityProvider !== null) app.register(async (scope) => oidcRoutes(scope, identityProvider, sessions));
};

const operatorRoutes = (
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
