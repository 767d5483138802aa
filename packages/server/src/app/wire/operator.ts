import type { KeyPorts } from "../../access/operations/manage-keys.js";
import type { UserPorts } from "../../access/operations/sign-in-ports.js";
import { dispatchView } from "../../dispatch/storage/dispatch-view.js";
import { reachReader } from "../../notification/storage/reach-reader.js";
import type { OpenadrAuthority } from "../../openadr/vtn/ven-authority.js";
import { sitesReporting } from "../../oversight/operations/operator-overview.js";
import { alarmGroupReader } from "../../oversight/storage/alarm-group-reader.js";
import { attentionReader } from "../../oversight/storage/attention-reader.js";
import { firstStepsReader } from "../../oversight/storage/first-steps-store.js";
import { onboardingReader } from "../../oversight/storage/onboarding-store.js";
import { overviewReader } from "../../oversight/storage/overview-store.js";
import { replayReader } from "../../oversight/storage/replay-reader.js";
import { searchReader } from "../../oversight/storage/search-store.js";
import { shiftReader } from "../../oversight/storage/shift-reader.js";
import { timelineReader } from "../../oversight/storage/timeline-reader.js";
import type { Within } from "../../platform/answer-once.js";
import type { OncePorts } from "../../platform/http/serve-once.js";
import { isReachedByAll } from "../../platform/outbound/address-guard.js";
import type { Ports } from "../../platform/ports.js";
import { clientSecrets } from "../../platform/runtime/secrets.js";
import { Seldom } from "../../platform/seldom.js";
import { siteMapReader } from "../../portfolio/storage/site-map-reader.js";
import type { Importing } from "../../telemetry/operations/import-ports.js";
import { PortfolioLoad } from "../../telemetry/operations/portfolio-load.js";
import { siteHealthReader } from "../../telemetry/storage/site-health-reader.js";
import { energyReader, lastCharges, lastReadings, loadReader } from "../../telemetry/storage/telemetry-reader.js";
import type { Addresses } from "../addresses.js";
import type { Basis } from "../basis.js";
import type { PeoplePorts } from "../routes/server-ports.js";
import type { Stores } from "../stores.js";
import type { WiredDelivery } from "./delivery.js";
import type { Changes } from "./following.js";
import { holidayCalendars } from "./holiday-calendars.js";
import type { Measuring } from "./measuring.js";
import type { Sandbox } from "./sandbox.js";
import type { Vtn } from "./vtn.js";

interface OperatorWiring extends Basis {
  readonly ports: Ports<Stores> &
    OncePorts<Within<Stores>> &
    Pick<KeyPorts, "secrets"> &
    Pick<UserPorts, "tokens" | "passwords"> &
    Pick<Basis, "clock">;
  readonly authority: OpenadrAuthority;
  readonly measuring: Measuring;
  readonly changes: Changes;
  readonly delivery: WiredDelivery;
  readonly sandbox: Sandbox;
  readonly addresses: Addresses;
  readonly importing: Importing;
  readonly previewVen: Vtn["preview"];
}

export const wireOperator = (wiring: OperatorWiring): PeoplePorts => {
  const { config, ports, authority, measuring, changes, delivery, sandbox, addresses } = wiring;
  return {
    ...ports,
    ...readersOver(wiring),
    ...reportingOver(wiring),
    ...delivery.webhooks,
    // Participants choose where webhooks point: they must not read what the operator's own network responds.
    showsResponse: (address) => address !== null && isReachedByAll(address, delivery.webhooks.policy),
    gateway: delivery.gateway,
    wordsFor: wiring.wordsFor,
    sending: { hasBroker: config.openadr3MqttUrl !== null },
    messageTests: wiring.limits.windowsOf("message tests"),
    serviceName: wiring.brand.name,
    authority,
    vtnId: config.vtnId,
    clientSecrets,
    ...measuring.ports,
    reached: (dispatchIds) => ports.stores.owed.reached(dispatchIds),
    changes: changes.live,
    get publicUrl() {
      return addresses.publicUrl();
    },
    get operatorUrl() {
      return addresses.operatorUrl();
    },
    previewVen: wiring.previewVen,
    sandbox: sandbox.view,
    certifiedOf: sandbox.certifiedOf,
    importing: wiring.importing,
    calendars: holidayCalendars(),
    mapTiles: config.mapTiles === null ? null : { url: config.mapTiles, attribution: config.mapAttribution ?? "" },
  };
};

const reportingOver = ({ pool, clock }: Basis) => {
  const overview = overviewReader(pool);
  return { overview, reporting: new Seldom(() => sitesReporting({ overview, clock })) };
};

const readersOver = ({ pool, clock }: Basis) => ({
  dispatches: dispatchView(pool),
  alarmGroups: alarmGroupReader(pool),
  attention: attentionReader(pool),
  shifts: shiftReader(pool),
  siteMap: siteMapReader(pool),
  timeline: timelineReader(pool),
  replay: replayReader(pool),
  portfolioLoad: new PortfolioLoad(loadReader(pool), clock),
  search: searchReader(pool),
  reach: reachReader(pool, clock),
  firstSteps: firstStepsReader(pool),
  onboarding: onboardingReader(pool),
  siteHealth: siteHealthReader(pool),
  telemetry: energyReader(pool),
  lastReadings: (meterIds: readonly string[]) => lastReadings(pool, meterIds),
  lastCharges: (meterIds: readonly string[]) => lastCharges(pool, meterIds),
});
