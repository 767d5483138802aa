import { authDocument, BASE_PATHS, consoleDocument, operatorDocument } from "@curtail/contract";
import cookie from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import { checkSessions } from "../../access/caller/session-check.js";
import { keyClaims } from "../../access/http/key-claim.js";
import { invitationRoutes } from "../../access/http/participant-invitation.js";
import { oidcRoutes } from "../../access/http/participant-oidc.js";
import { authRoutes } from "../../access/http/participant-session.js";
import { type CalendarRoutePorts, calendarFileRoutes, ownCalendarRoutes } from "../../notification/http/calendar.js";
import { personNoticeRoutes } from "../../notification/http/person-notice.js";
import { certificateClaims } from "../../openadr/http/certificate-claim.js";
import { claimRoutes } from "../../platform/http/claim.js";
import { takeForms } from "../../platform/http/one-time-page.js";
import { consoleRoutes } from "./console-routes.js";
import { operatorRoutes } from "./operator-routes.js";
import { landingPage, pageAddresses, pageRoutes } from "./pages.js";
import { referenceRoutes } from "./reference.js";
import type { OperationPorts, ServedOperation, Side } from "./server-ports.js";
import type { LimitedSettings } from "./server-settings.js";

/** What people use on this listener's side: pages, one-time links, and everything behind a session or the token. */
export const addOperation = async (
  app: FastifyInstance,
  settings: LimitedSettings,
  ports: ServedOperation,
): Promise<void> => {
  const serves = servedBy(ports.side);
  const { pages: folder, brand, operator } = ports;
  if (folder !== null) await pageRoutes(app, { folder, addresses: pagesOf(serves), brand, tiles: operator.mapTiles });
  if (serves.operators)
    referenceRoutes(app, { basePath: BASE_PATHS.operator, title: "Curtail operator API", document: operatorDocument });
  if (serves.participants)
    referenceRoutes(app, { basePath: BASE_PATHS.console, title: "Curtail console", document: consoleDocument });
  referenceRoutes(app, { basePath: BASE_PATHS.auth, title: "Curtail sessions", document: authDocument });
  await app.register(async (scope) => linkRoutes(scope, settings, ports));
  await app.register(async (scope) =>
    calendarFileRoutes(scope, calendarPorts(ports), { ...serves, windowsOf: settings.windowsOf }),
  );
  // Cookies are parsed only in here: the participants' interface knows nothing but keys.
  await app.register(async (scope) => {
    await scope.register(cookie);
    if (serves.operators)
      await scope.register(async (inner) => operatorRoutes(inner, settings, ports), { prefix: BASE_PATHS.operator });
    if (serves.participants)
      await scope.register(async (inner) => consoleRoutes(inner, settings, ports), { prefix: BASE_PATHS.console });
    await scope.register(async (inner) => sessionRoutes(inner, ports), { prefix: BASE_PATHS.auth });
  });
};

interface Served {
  readonly operators: boolean;
  readonly participants: boolean;
}

const servedBy = (side: Side): Served => ({
  operators: side !== "participants",
  participants: side !== "operators",
});

const pagesOf = (serves: Served): readonly string[] => [
  ...pageAddresses.everybody,
  ...(serves.participants ? pageAddresses.participants : []),
  ...(serves.operators ? pageAddresses.operators : []),
];

const linkRoutes = (app: FastifyInstance, { bodies }: LimitedSettings, ports: OperationPorts): void => {
  const service = ports.brand.name;
  takeForms(app, bodies);
  if (servedBy(ports.side).participants)
    claimRoutes(app, [keyClaims(ports.claimKey), certificateClaims(ports.claimCertificate)], service);
  invitationRoutes(app, ports.sessions, service);
};

const calendarPorts = ({ sessions, calendars, operator }: OperationPorts): CalendarRoutePorts => ({
  sessions,
  calendars,
  programs: operator.stores.programs,
  wordsFor: operator.wordsFor,
});

const sessionRoutes = (app: FastifyInstance, ports: OperationPorts): void => {
  const { sessions, notices, signOn } = ports;
  app.register(async (scope) => ownCalendarRoutes(scope, calendarPorts(ports)));
  authRoutes(app, sessions, { hasSingleSignOn: signOn !== null });
  app.register(async (scope) => {
    checkSessions(scope, sessions);
    personNoticeRoutes(scope, notices);
  });
  if (signOn !== null) app.register(async (scope) => oidcRoutes(scope, { ...signOn, landingPage }, sessions));
};
