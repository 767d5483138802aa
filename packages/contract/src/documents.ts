import { authEndpoints, authRedirects } from "./auth/session.js";
import { consoleEndpoints, consoleStreams } from "./console-v1/endpoints.js";
import { type DocumentDescription, openApiDocument, type Server } from "./openapi.js";
import { operatorEndpoints, operatorStreams } from "./operator-v1/endpoints.js";
import { endpoints, participantStreams, sandboxEndpoints, VERSION } from "./v2022-04-15/endpoints.js";
import { aboutNotifications, notifications } from "./v2022-04-15/notification.js";

/** Below each interface, without a key: its document, and a page to read it (G42). */
export const referencePaths = { document: "/openapi.json", viewer: "/docs" } as const;

const KEY_HEADER = "X-Service-API-Key";
const ofScenarios = endpoints.filter(({ path }) => path.startsWith("/scenarios"));
const ofProduction = [...endpoints.filter((each) => !ofScenarios.includes(each)), ...participantStreams];

/** Where the service is reached, without slashes at the end. */
export interface DocumentAddresses {
  readonly production: string;
  readonly sandbox: string;
}

/** How a service serves the participants' interface. */
export interface ServedAs {
  /** A setting of the service (G7). */
  readonly keyHeader?: string;
  /** Unknown where a document is of no running service. */
  readonly addresses?: DocumentAddresses;
}

/** The participants' interface. */
export const participantDocument = ({ keyHeader = KEY_HEADER, addresses }: ServedAs = {}) =>
  forParticipants(keyHeader, {
    title: "Curtail",
    description: introduction(
      "Dispatches, sites, schedule, telemetry and webhooks for participants.",
      keyHeader,
      `## Sandbox

Prove an integration there first: it answers every request here with data made up for tests, and plays dispatches on
demand. It takes keys of its own.${linkTo(addresses?.sandbox)}`,
    ),
    endpoints: ofProduction,
    ...serversOf("Production", addresses && { url: addresses.sandbox, description: "Sandbox" }),
  });

/** The same in the sandbox, with the scenarios that only it has. */
export const sandboxDocument = ({ keyHeader = KEY_HEADER, addresses }: ServedAs = {}) =>
  forParticipants(keyHeader, {
    title: "Curtail sandbox",
    description: introduction(
      "The participants' interface with data made up for tests, and scenarios to prove an integration with.",
      keyHeader,
      `## Scenarios

\`POST /scenarios\` plays dispatches that behave like real ones, for webhooks as for polling. It takes a sandbox key of the
account's own; all else works with the public key.${linkTo(addresses?.production, "Production")}`,
    ),
    endpoints: [...ofProduction, ...ofScenarios, ...sandboxEndpoints],
    ...serversOf("Sandbox", addresses && { url: addresses.production, description: "Production" }),
  });

const linkTo = (address: string | undefined, name = "The sandbox"): string =>
  address === undefined ? "" : ` ${name} has [a reference of its own](${address}/${VERSION}/docs).`;

const serversOf = (
  serverName: string,
  other: Server | undefined,
): Pick<DocumentDescription, "servers" | "serverName"> =>
  other === undefined ? {} : { serverName, servers: [{ ...other, url: `${other.url}/${VERSION}` }] };

/** What a reader has to know before the first request; Markdown. */
const introduction = (what: string, keyHeader: string, aboutSandbox: string): string => `${what}

## Keys

Every request carries a key of the account in the header \`${keyHeader}\`. The operator issues keys through one-time links.

## Dispatches

Learn of dispatches by webhook, or poll \`GET /dispatches\` every 30 seconds. A dispatch without \`end_time\` lasts until it
gets one. Stop at once when \`authorized\` is false: it is cancelled.

${aboutNotifications}
${aboutSandbox}
`;

const forParticipants = (
  keyHeader: string,
  own: Pick<DocumentDescription, "title" | "description" | "endpoints" | "servers" | "serverName">,
): Record<string, unknown> =>
  openApiDocument({
    ...own,
    version: VERSION,
    basePath: `/${VERSION}`,
    security: { name: "apiKey", scheme: { type: "apiKey", in: "header", name: keyHeader } },
    hasRateLimits: true,
    notifications,
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
    hidesFromOthers: true,
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
    hidesFromOthers: true,
  });

/** Signing in and out. */
export const authDocument = () =>
  openApiDocument({
    title: "Curtail sessions",
    version: "v1",
    description: "Signing in and out, sessions, and codes of an authenticator app.",
    basePath: "/auth",
    security: sessionCookie,
    endpoints: [...authEndpoints, ...authRedirects],
  });
