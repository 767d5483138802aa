import type { FastifyInstance } from "fastify";
import type { SessionRoutePorts } from "../../access/caller/session-check.js";
import { addressRoutes, type ServiceAddresses } from "../../access/http/console-account.js";
import { contactRoutes } from "../../access/http/contact.js";
import { keyRoutes } from "../../access/http/key.js";
import { requestLogRoutes } from "../../access/http/logged-requests.js";
import { accountRoutes } from "../../access/http/operator-account.js";
import { auditRoutes } from "../../access/http/operator-audit.js";
import { checkOperators } from "../../access/http/operator-check.js";
import { userRoutes } from "../../access/http/user.js";
import { deliveryHoldRoutes } from "../../backup/http/operator-delivery-hold.js";
import { demoRoutes } from "../../demo/http/demo.js";
import { simulatedSiteRoutes } from "../../demo/http/simulated-site.js";
import { dispatchRoutes } from "../../dispatch/http/operator-dispatch.js";
import { channelAddressRoutes } from "../../notification/http/channel-address.js";
import { deliveryRoutes } from "../../notification/http/delivery.js";
import { evidenceRoutes } from "../../notification/http/evidence.js";
import { dispatchPreviewRoute } from "../../notification/http/operator-dispatch-preview.js";
import { phoneCallRoute } from "../../notification/http/operator-phone-call.js";
import { phoneRoutes } from "../../notification/http/phone.js";
import { webhookRoutes } from "../../notification/http/webhook.js";
import { venCertificateRoutes, venRoutes } from "../../openadr/http/operator-ven.js";
import { openadr3ClientRoutes } from "../../openadr-3/http/operator-openadr-3-client.js";
import { ownEventRoutes } from "../../openadr-3/http/operator-openadr-3-event.js";
import { ownProgramRoutes } from "../../openadr-3/http/operator-openadr-3-program.js";
import { changeRoutes } from "../../oversight/http/change.js";
import { onboardingRoutes } from "../../oversight/http/onboarding.js";
import { alarmRoutes } from "../../oversight/http/operator-alarm.js";
import { alarmGroupRoutes } from "../../oversight/http/operator-alarm-group.js";
import { attentionRoute } from "../../oversight/http/operator-attention.js";
import { firstStepsRoute } from "../../oversight/http/operator-first-steps.js";
import { followerRoutes } from "../../oversight/http/operator-follower.js";
import { importRoutes } from "../../oversight/http/operator-import.js";
import { loadRoute } from "../../oversight/http/operator-load.js";
import { overviewRoutes } from "../../oversight/http/operator-overview.js";
import { replayRoute } from "../../oversight/http/operator-replay.js";
import { shiftReportRoutes } from "../../oversight/http/operator-shift-report.js";
import { shortSitesRoute } from "../../oversight/http/operator-short-sites.js";
import { timelineRoute } from "../../oversight/http/operator-timeline.js";
import { searchRoutes } from "../../oversight/http/search.js";
import { accuracyRoute } from "../../performance/http/operator-accuracy.js";
import { dispatchResultRoutes } from "../../performance/http/operator-dispatch-result.js";
import { excludedDayRoutes } from "../../performance/http/operator-excluded-day.js";
import { reportRoutes } from "../../performance/http/operator-report.js";
import { performanceRoutes } from "../../performance/http/performance.js";
import { performanceStreamRoute } from "../../performance/http/performance-streams.js";
import { BODY_BYTES, LIST_BODY_BYTES, limitBodies } from "../../platform/http/body-limits.js";
import { severalEnrolmentRoutes } from "../../portfolio/http/operator-enrolment.js";
import { holidayRoutes } from "../../portfolio/http/operator-holidays.js";
import { enrolmentRoutes, programRoutes } from "../../portfolio/http/operator-program.js";
import { meterRoutes, siteRoutes } from "../../portfolio/http/operator-site.js";
import { siteMapRoute } from "../../portfolio/http/operator-site-map.js";
import { scheduleRoutes } from "../../portfolio/http/schedule.js";
import { scenarioRoutes } from "../../sandbox/http/scenario.js";
import { rulesRoutes } from "../../settlement/http/operator-rules.js";
import { statementRoutes } from "../../settlement/http/operator-statement.js";
import { termsRoutes } from "../../settlement/http/operator-terms.js";
import { energyRoutes } from "../../telemetry/http/energy.js";
import { mappingProfileRoutes } from "../../telemetry/http/mapping-profile.js";
import { meterDataRoutes } from "../../telemetry/http/meter-data.js";
import { telemetryHealthRoutes } from "../../telemetry/http/operator-telemetry-health.js";
import type { LimitedSettings } from "./server-settings.js";

/** What operators see and do. */
const routes = [
  overviewRoutes,
  loadRoute,
  attentionRoute,
  timelineRoute,
  replayRoute,
  searchRoutes,
  accountRoutes,
  contactRoutes,
  phoneRoutes,
  channelAddressRoutes,
  keyRoutes,
  requestLogRoutes,
  siteRoutes,
  meterRoutes,
  siteMapRoute,
  shortSitesRoute,
  programRoutes,
  holidayRoutes,
  enrolmentRoutes,
  severalEnrolmentRoutes,
  scheduleRoutes,
  webhookRoutes,
  deliveryRoutes,
  deliveryHoldRoutes,
  venRoutes,
  venCertificateRoutes,
  openadr3ClientRoutes,
  ownProgramRoutes,
  ownEventRoutes,
  evidenceRoutes,
  phoneCallRoute,
  performanceRoutes,
  performanceStreamRoute,
  accuracyRoute,
  termsRoutes,
  rulesRoutes,
  statementRoutes,
  excludedDayRoutes,
  reportRoutes,
  dispatchResultRoutes,
  telemetryHealthRoutes,
  firstStepsRoute,
  demoRoutes,
  simulatedSiteRoutes,
  onboardingRoutes,
  energyRoutes,
  mappingProfileRoutes,
  alarmRoutes,
  alarmGroupRoutes,
  shiftReportRoutes,
  followerRoutes,
  changeRoutes,
  scenarioRoutes,
  userRoutes,
  auditRoutes,
];

/** The same, of requests that may hold long lists. */
const listRoutes = [importRoutes, dispatchRoutes, dispatchPreviewRoute];

type Routes = (typeof routes)[number] | (typeof listRoutes)[number] | typeof meterDataRoutes;

type Asked<Route> = Route extends (app: FastifyInstance, ports: infer Ports, ...more: never[]) => void
  ? (ports: Ports) => void
  : never;

/** What the routes need, together. */
export type OperatorPorts = Asked<Routes> extends (ports: infer Ports) => void ? Ports : never;

/** The operators' side of a listener. */
export interface OperatorSide {
  readonly operator: OperatorPorts;
  readonly isOperatorToken: (token: string) => Promise<boolean>;
  readonly sessions: SessionRoutePorts;
  /** Addresses for participants' systems, once listening. */
  readonly addresses: () => ServiceAddresses;
}

/** The operator API, behind the token or a session. */
export const operatorRoutes = (
  app: FastifyInstance,
  { budget, bodies, imports, keyHeader, windowsOf }: LimitedSettings,
  { operator, isOperatorToken, sessions, addresses }: OperatorSide,
): void => {
  limitBodies(app, BODY_BYTES);
  const { clock, noteRefused } = sessions;
  checkOperators(app, { isOperatorToken, sessions, clock, noteRefused, windowsOf });
  app.register(async (scope) => {
    limitBodies(scope, LIST_BODY_BYTES);
    for (const serve of listRoutes) serve(scope, operator);
  });
  for (const serve of routes) serve(app, operator, budget);
  addressRoutes(app, { addresses, keyHeader });
  meterDataRoutes(app, operator, { bodies, imports });
};
