import { BASE_PATHS, type DatedVersion, datedDocument, participantDocument, sandboxDocument } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { logUnknownAddresses } from "../../access/caller/request-log.js";
import { sweepEachMinute } from "../../access/caller/request-rate.js";
import { keyRates } from "../../access/http/api-key-check.js";
import { AnswerBudget } from "../../platform/http/answer-budget.js";
import { bareServer } from "../../platform/http/bare-server.js";
import { bearerOf } from "../../platform/http/bearer.js";
import type { ServedVersion } from "../../platform/http/dated-edge.js";
import { OpenBodies } from "../../platform/http/open-bodies.js";
import { headersFor } from "../../platform/http/response-headers.js";
import { importTurns } from "../../telemetry/http/meter-data.js";
import { documentationFolder, documentationRoutes, type MissingPage, missingPageOf } from "./documentation.js";
import { downloadRoutes, downloadsFolder, missingDownload } from "./downloads.js";
import { faviconRoute } from "./favicon.js";
import { healthRoutes } from "./health.js";
import { identityRoute } from "./identity.js";
import { noticesRoute, noticesText } from "./notices.js";
import { addOperation } from "./operation-routes.js";
import { datedRoutes, participantRoutes } from "./participant-routes.js";
import { addPollLane } from "./poll-lane.js";
import { answerOtherAddresses, answerOtherOperatorAddresses } from "./redirects.js";
import { referenceRoutes, viewerRoutes } from "./reference.js";
import type { ServerPorts } from "./server-ports.js";
import type { LimitedSettings, ServerSettings } from "./server-settings.js";
import { traceChangingRequests } from "./traced-requests.js";
import { addUploadLane } from "./upload-lane.js";

/** Builds a listener of production or the sandbox: the only way to make a server, in tests as in production. */
export const buildServer = async (settings: ServerSettings, ports: ServerPorts): Promise<FastifyInstance> => {
  const bodies = new OpenBodies();
  const app = bareServer(settings, ports, bodies);
  // Before the routes that it is about.
  if (ports.traced) traceChangingRequests(app, ports.traced);
  sweepEachMinute(app, () => void sweepAnswers(ports));
  healthRoutes(app, ports.health);
  identityRoute(app, ports);
  faviconRoute(app);
  await viewerRoutes(app);
  const documentation = documentationFolder();
  await documentationRoutes(app, documentation);
  await downloadRoutes(app, downloadsFolder(), ports.addresses);
  noticesRoute(app, noticesText());
  const missingDocument = missingPageOf(documentation);
  const missingPage: MissingPage = (request, reply) =>
    missingDocument(request, reply) ?? missingDownload(request, reply);
  const limited = {
    ...settings,
    bodies,
    budget: new AnswerBudget(),
    imports: importTurns(),
    windowsOf: ports.windowsOf,
  };
  if (ports.operation?.side === "operators")
    answerOtherOperatorAddresses(app, `${BASE_PATHS.operator}/docs`, missingPage);
  else await addParticipants(app, limited, ports, missingPage);
  if (ports.operation !== undefined)
    await addOperation(app, limited, { ...ports.operation, addresses: ports.addresses });
  return app;
};

const sweepAnswers = ({ once, logger }: ServerPorts): Promise<void> =>
  once.sweep().catch((error: unknown) => {
    logger.warn({ err: error }, "stored answers could not be removed; retrying in a minute");
  });

const addParticipants = async (
  app: FastifyInstance,
  settings: LimitedSettings,
  ports: ServerPorts,
  missingPage: MissingPage,
): Promise<void> => {
  const { keys, noteRequest, earlier = [] } = ports;
  answerOtherAddresses(
    app,
    missingPage,
    earlier.map(({ version }) => version),
  );
  const header = settings.keyHeader.toLowerCase();
  const keyOf = (request: FastifyRequest) =>
    request.headers[header] ?? (earlier.some(({ version }) => isBelow(version, request)) ? bearerOf(request) : null);
  if (noteRequest !== undefined)
    logUnknownAddresses(app, { keyOf, find: (apiKey) => keys.authenticate(apiKey) }, noteRequest);
  // Scenarios are played in the sandbox only.
  const isSandbox = ports.scenarios !== undefined;
  const document = isSandbox ? sandboxDocument : participantDocument;
  referenceRoutes(app, {
    basePath: BASE_PATHS.participant,
    title: isSandbox ? "Curtail sandbox" : "Curtail",
    document: () => document({ keyHeader: settings.keyHeader, addresses: ports.addresses() }),
  });
  await app.register(async (scope) => participantRoutes(scope, settings, ports), { prefix: BASE_PATHS.participant });
  for (const served of earlier) await addEarlier(app, settings, ports, served);
  const headers = headersFor(settings.publicUrl);
  addUploadLane(app, { ...settings, headers }, ports);
  if (ports.polls === undefined) return;
  addPollLane(app.server, { ...settings, headers }, { ...ports.polls, rates: keyRates(settings.windowsOf) });
};

const isBelow = ({ date }: DatedVersion, { url }: FastifyRequest): boolean => url.startsWith(`/${date}/`);

const addEarlier = async (
  app: FastifyInstance,
  settings: LimitedSettings,
  ports: ServerPorts,
  served: ServedVersion,
): Promise<void> => {
  const { version } = served;
  const isSandbox = ports.scenarios !== undefined;
  const title = isSandbox ? "Curtail sandbox" : "Curtail";
  const basePath = `/${version.date}`;
  const document = () => datedDocument(version, isSandbox ? "sandbox" : "production", ports.addresses());
  referenceRoutes(app, { basePath, title, document });
  await app.register(async (scope) => datedRoutes(scope, settings, ports, served), { prefix: basePath });
};
