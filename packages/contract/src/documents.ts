import { authEndpoints } from "./auth/session.js";
import { consoleEndpoints, consoleStreams } from "./console-v1/endpoints.js";
import { type DocumentDescription, openApiDocument } from "./openapi.js";
import { operatorEndpoints, operatorStreams } from "./operator-v1/endpoints.js";
import { endpoints, participantStreams, sandboxEndpoints, VERSION } from "./v2022-04-15/endpoints.js";

const KEY_HEADER = "X-Service-API-Key";
const ofScenarios = endpoints.filter(({ path }) => path.startsWith("/scenarios"));
const ofProduction = [...endpoints.filter((each) => !ofScenarios.includes(each)), ...participantStreams];

/** The participants' interface; the key header's name is a setting of the service (G7). */
export const participantDocument = (keyHeader = KEY_HEADER) =>
  forParticipants(keyHeader, {
    title: "Curtail",
    description: "Dispatches, sites, schedule, telemetry and webhooks for participants.",
    endpoints: ofProduction,
  });

/** The same in the sandbox, with the scenarios that only it has. */
export const sandboxDocument = (keyHeader = KEY_HEADER) =>
  forParticipants(keyHeader, {
    title: "Curtail sandbox",
    description: "The participants' interface with data made up for tests, and scenarios to prove an integration with.",
    endpoints: [...ofProduction, ...ofScenarios, ...sandboxEndpoints],
  });

const forParticipants = (
  keyHeader: string,
  own: Pick<DocumentDescription, "title" | "description" | "endpoints">,
): Record<string, unknown> =>
  openApiDocument({
    ...own,
    version: VERSION,
    basePath: `/${VERSION}`,
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: keyHeader } },
    hasRateLimits: true,
  });

/** The operator's interface. */
export const operatorDocument = () =>
  openApiDocument({
    title: "Curtail operator API",
    version: "v1",
    description: "Accounts, keys, sites, programs, dispatches and the audit log, for the operator of the service.",
    basePath: "/operator/v1",
    security: { name: "operatorToken", scheme: { type: "http", scheme: "bearer" } },
    endpoints: [...operatorEndpoints, ...operatorStreams],
  });

const sessionCookie = { name: "session", scheme: { type: "apiKey", in: "cookie", name: "curtail_session" } };

/** What a participant's people do in the web pages. */
export const consoleDocument = () =>
  openApiDocument({
    title: "Curtail console",
    version: "v1",
    description:
      "Dispatches, sites, schedule, telemetry, webhooks, keys, contacts and users of one account, for its people's sessions.",
    basePath: "/console/v1",
    security: sessionCookie,
    endpoints: [...consoleEndpoints, ...consoleStreams],
  });

/** Signing in and out. */
export const authDocument = () =>
  openApiDocument({
    title: "Curtail sessions",
    version: "v1",
    description: "Signing in and out, sessions, and codes of an authenticator app.",
    basePath: "/auth",
    security: sessionCookie,
    endpoints: authEndpoints,
  });
