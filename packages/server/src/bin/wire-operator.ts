import type pg from "pg";
import type { OncePorts } from "../http/serve-once.js";
import type { PeoplePorts } from "../http/server-ports.js";
import type { Within } from "../operations/answer-once.js";
import type { KeyPorts } from "../operations/manage-keys.js";
import type { Ports } from "../operations/ports.js";
import type { UserPorts } from "../operations/sign-in-ports.js";
import type { Config } from "../runtime/config.js";
import { dispatchView } from "../storage/dispatch-store.js";
import { onboardingReader } from "../storage/onboarding-store.js";
import { overviewReader } from "../storage/overview-store.js";
import { reachReader } from "../storage/reach-reader.js";
import { siteHealthReader } from "../storage/site-health-reader.js";
import type { Stores } from "../storage/stores.js";
import { energyReader, lastReadings } from "../storage/telemetry-reader.js";
import type { OpenadrAuthority } from "../vtn/ven-authority.js";
import type { Addresses } from "./addresses.js";
import type { Changes } from "./wire-changes.js";
import type { Delivery } from "./wire-delivery.js";
import type { Measuring } from "./wire-measuring.js";
import type { Sandbox } from "./wire-sandbox.js";
import type { Vtn } from "./wire-vtn.js";

export interface OperatorWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly ports: Ports<Stores> &
    OncePorts<Within<Stores>> &
    Pick<KeyPorts, "secrets"> &
    Pick<UserPorts, "tokens" | "passwords">;
  readonly authority: OpenadrAuthority;
  readonly measuring: Measuring;
  readonly changes: Changes;
  readonly delivery: Delivery;
  readonly sandbox: Sandbox;
  readonly addresses: Addresses;
  readonly previewVen: Vtn["preview"];
  readonly forgetKeys: () => void;
}

export const wireOperator = (wiring: OperatorWiring): PeoplePorts => {
  const { config, pool, ports, authority, measuring, changes, delivery, sandbox, addresses } = wiring;
  return {
    ...ports,
    ...readersOver(pool, ports),
    ...delivery.webhooks,
    authority,
    vtnId: config.vtnId,
    performance: measuring.view,
    live: measuring.live,
    changes: changes.live,
    get publicUrl() {
      return addresses.publicUrl();
    },
    get operatorUrl() {
      return addresses.operatorUrl();
    },
    previewVen: wiring.previewVen,
    forgetKeys: wiring.forgetKeys,
    sandbox: sandbox.view,
  };
};

const readersOver = (pool: pg.Pool, { clock }: Pick<KeyPorts, "clock">) => ({
  dispatches: dispatchView(pool),
  overview: overviewReader(pool),
  reach: reachReader(pool, clock),
  onboarding: onboardingReader(pool),
  siteHealth: siteHealthReader(pool),
  telemetry: energyReader(pool),
  lastReadings: (meterIds: readonly string[]) => lastReadings(pool, meterIds),
});
