import { authEndpoints, authRedirects } from "./auth/session.js";
import { BASE_PATHS } from "./base-paths.js";
import { consoleEndpoints, consoleStreams } from "./console-v1/endpoints.js";
import { type DocumentDescription, openApiDocument } from "./openapi.js";
import { operatorEndpoints, operatorStreams } from "./operator-v1/endpoints.js";
import {
  endpoints,
  participantProfiles,
  participantReports,
  participantStatements,
  participantStreams,
  performanceStreams,
  sandboxEndpoints,
  VERSION,
} from "./v2022-04-15/endpoints.js";
import { aboutNotifications, notifications } from "./v2022-04-15/notification.js";

/** Paths below each interface that need no key: its OpenAPI document, and a page that shows it (G42). */
export const referencePaths = { document: "/openapi.json", viewer: "/docs" } as const;

const KEY_HEADER = "X-Service-API-Key";
const ofScenarios = endpoints.filter(({ path }) => path.startsWith("/scenarios"));
const ofBoth = [...endpoints.filter((each) => !ofScenarios.includes(each)), ...participantStreams];

/** Addresses of the service, without a trailing slash. */
export interface DocumentAddresses {
  readonly production: string;
  readonly sandbox: string;
}

/** How a service serves the participants' interface. */
export interface ServedAs {
  /** Header that carries the API key; a setting of the service (G7). */
  readonly keyHeader?: string;
  /** Absent in a document that belongs to no running service. */
  readonly addresses?: DocumentAddresses;
}

/** OpenAPI document of the participants' interface. */
export const participantDocument = ({ keyHeader = KEY_HEADER, addresses }: ServedAs = {}) =>
  forParticipants(keyHeader, {
    title: "Curtail",
    description: introduction(
      "Dispatches, sites, schedule, telemetry and webhooks for participants.",
      keyHeader,
      `## Sandbox

Test an integration in the sandbox first. It answers every request with test data and simulates dispatches on request. It
has keys of its own.${linkTo(addresses?.sandbox)}`,
    ),
    endpoints: [
      ...ofBoth,
      ...performanceStreams,
      ...participantReports,
      ...participantStatements,
      ...participantProfiles,
    ],
    ...serversOf(addresses, ["production", "sandbox"]),
  });

/** OpenAPI document of the sandbox: the participants' interface and the scenarios, which only the sandbox has. */
export const sandboxDocument = ({ keyHeader = KEY_HEADER, addresses }: ServedAs = {}) =>
  forParticipants(keyHeader, {
    title: "Curtail sandbox",
    description: introduction(
      "The participants' interface with test data, and scenarios to test an integration.",
      keyHeader,
      `## Scenarios

\`POST /scenarios\` simulates dispatches that behave like real ones, for webhooks and for polling. It requires a sandbox key of
your account; all other operations accept the public key, too.${linkTo(addresses?.production, "Production")}`,
    ),
    endpoints: [...ofBoth, ...ofScenarios, ...sandboxEndpoints],
    ...serversOf(addresses, ["sandbox", "production"]),
  });

const linkTo = (address: string | undefined, name = "The sandbox"): string =>
  address === undefined ? "" : ` ${name} has [its own reference](${address}/${VERSION}/docs).`;

export const serversOf = (
  addresses: DocumentAddresses | undefined,
  order: ReadonlyArray<keyof DocumentAddresses>,
  version: string = VERSION,
): Pick<DocumentDescription, "servers"> => {
  if (addresses === undefined) return {};
  const serverOf = (name: keyof DocumentAddresses) => ({
    url: `${addresses[name]}/${version}`,
    description: serverNames[name],
  });
  return { servers: order.map(serverOf) };
};

const serverNames = { production: "Production", sandbox: "Sandbox" } as const;

export const aboutTimes = `## Times

Timestamps are RFC 3339 with an offset, such as \`2026-07-01T13:00:00-05:00\`. Replies use UTC with \`Z\`. A time interval is
labelled by its end.

## Null

A member that is optional may be sent as \`null\`: it counts as left out, unless its description gives null a meaning.`;

export const aboutDispatches = `## Dispatches

Use webhooks to learn of dispatches, or poll \`GET /dispatches\` every 30 seconds. A dispatch without \`end_time\` continues until
an end is set. Stop curtailing at once when \`authorized\` is false: the dispatch is cancelled.`;

/** What a reader needs to know before the first request; Markdown. */
const introduction = (what: string, keyHeader: string, aboutSandbox: string): string => `${what}

## Keys

Every request carries an API key of the account in the header \`${keyHeader}\`. The operator issues keys through one-time links.

${aboutDispatches}

${aboutTimes}

${aboutNotifications}
${aboutSandbox}
`;

const forParticipants = (
  keyHeader: string,
  own: Pick<DocumentDescription, "title" | "description" | "endpoints" | "servers">,
): Record<string, unknown> =>
  openApiDocument({
    ...own,
    version: VERSION,
    basePath: BASE_PATHS.participant,
    security: {
      name: "apiKey",
      scheme: { type: "apiKey", in: "header", name: keyHeader, description: "API key of the account." },
    },
    hasRateLimits: true,
    notifications,
  });

/** OpenAPI document of the operators' interface. */
export const operatorDocument = () =>
  openApiDocument({
    title: "Curtail operator API",
    version: "v1",
    description: `Accounts, keys, sites, programs, dispatches and the audit log, for the operator of the service.

${aboutTimes}

${aboutLists}`,
    basePath: BASE_PATHS.operator,
    security: {
      name: "operatorToken",
      scheme: {
        type: "http",
        scheme: "bearer",
        description:
          "The operator token from the settings of the service. The session of an operator's user works, too.",
      },
    },
    endpoints: [...operatorEndpoints, ...operatorStreams],
    hidesFromOthers: true,
  });

const aboutLists = `## Lists

Lists return up to \`limit\` items, 100 by default. To get the next page, repeat the request with \`cursor\` set to the
\`next_cursor\` of the last reply. On the last page \`next_cursor\` is null.`;

const sessionCookie = {
  name: "session",
  scheme: {
    type: "apiKey",
    in: "cookie",
    name: "curtail_session",
    description: "Cookie of a session, set when a user signs in.",
  },
};

/** OpenAPI document of the console, which the web pages of participants use. */
export const consoleDocument = () =>
  openApiDocument({
    title: "Curtail console",
    version: "v1",
    description: `Dispatches, sites, schedule, telemetry, webhooks, keys, contacts and users of one account, for the sessions of its users.

${aboutTimes}

${aboutLists}`,
    basePath: BASE_PATHS.console,
    security: sessionCookie,
    endpoints: [...consoleEndpoints, ...consoleStreams],
    hidesFromOthers: true,
  });

/** OpenAPI document of sessions: signing in and out. */
export const authDocument = () =>
  openApiDocument({
    title: "Curtail sessions",
    version: "v1",
    description: "Signing in and out, sessions, two-factor authentication with an authenticator app, and calendars.",
    basePath: BASE_PATHS.auth,
    security: sessionCookie,
    endpoints: [...authEndpoints, ...authRedirects],
  });
