import { authEndpoints } from "./auth/session.js";
import { consoleEndpoints, consoleStreams } from "./console-v1/endpoints.js";
import { openApiDocument } from "./openapi.js";
import { operatorEndpoints, operatorStreams } from "./operator-v1/endpoints.js";
import { endpoints, participantStreams, sandboxEndpoints, VERSION } from "./v2022-04-15/endpoints.js";

/** The participants' interface; the key header's name is a setting of the service (G7). */
export const participantDocument = (keyHeader = "X-Service-API-Key") =>
  openApiDocument({
    title: "Curtail",
    version: VERSION,
    description: "Dispatches, sites, schedule, telemetry, webhooks and sandbox scenarios for participants.",
    basePath: `/${VERSION}`,
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: keyHeader } },
    endpoints: [...endpoints, ...participantStreams, ...sandboxEndpoints],
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
