import type { FastifyInstance } from "fastify";
import type { WindowsOf } from "../../access/caller/shared-limits.js";
import { KeyMemory } from "../../access/http/key-memory.js";
import type { KeyStore } from "../../access/operations/access-stores.js";
import { authenticate } from "../../access/operations/manage-keys.js";
import { publicAddresses } from "../../notification/domain/webhook.js";
import type { DeliveryQueue } from "../../notification/operations/deliver-notices.js";
import type { ProbeWebhook, WebhookPorts } from "../../notification/operations/manage-webhooks.js";
import { deliveryQueue, dueDeliveries, sandboxQueue } from "../../notification/storage/delivery-queue.js";
import { probeWebhook, sendDelivery } from "../../notification/worker/notify.js";
import { dialLimit, publicTests } from "../../notification/worker/public-tests.js";
import { type AttemptObserver, DeliveryWorker } from "../../notification/worker/worker.js";
import type { VenDispatches } from "../../openadr/operations/ven-channel.js";
import type { CertifiedOf } from "../../oversight/operations/onboarding.js";
import { webhookClient } from "../../platform/outbound/webhook-client.js";
import { Polling } from "../../platform/polling.js";
import type { Ports } from "../../platform/ports.js";
import type { Logger } from "../../platform/runtime/logger.js";
import { equalHashes, hashToken, keySecrets, newId } from "../../platform/runtime/secrets.js";
import { certifiedBy } from "../../sandbox/domain/certificate.js";
import { accountService } from "../../sandbox/operations/account-service.js";
import { byKey } from "../../sandbox/operations/by-key.js";
import { RunCloser } from "../../sandbox/operations/close-runs.js";
import { scenarioLists } from "../../sandbox/operations/follow-scenarios.js";
import { publicCaller, publicService } from "../../sandbox/operations/public-service.js";
import { reportOf } from "../../sandbox/operations/report-scenario.js";
import type { SandboxReadings, SandboxService, ScenarioPorts } from "../../sandbox/operations/scenario-service.js";
import { scenarioDispatches } from "../../sandbox/operations/ven-dispatches.js";
import { certificateStore } from "../../sandbox/storage/certificate-store.js";
import { sandboxReadingStore } from "../../sandbox/storage/sandbox-reading-store.js";
import { scenarioStore } from "../../sandbox/storage/scenario-store.js";
import type { UploadService } from "../../telemetry/operations/telemetry-service.js";
import { chargeMeters } from "../../telemetry/storage/charge-meters.js";
import { meterDirectory } from "../../telemetry/storage/meter-directory.js";
import { type Basis, NOTHING, type Stopping } from "../basis.js";
import { buildServer } from "../routes/build-server.js";
import type { PeoplePorts, ServerPorts } from "../routes/server-ports.js";
import { type Stores, scenarioOnceOver, storesOver, transactOver, transactScenarioOver } from "../stores.js";
import { earlierOf } from "./earlier-versions.js";
import { wireFollowing } from "./following.js";
import type { RequestNotes } from "./request-notes.js";
import { visibleKinds } from "./visible-kinds.js";

interface SandboxWiring extends Basis, RequestNotes {
  readonly keys: Pick<KeyStore, "find" | "accepted">;
  readonly webhooks: Pick<WebhookPorts, "policy" | "newSecret" | "probe">;
  readonly health: ServerPorts["health"];
  readonly addresses: ServerPorts["addresses"];
}

/** The sandbox, not yet listening. */
export interface Sandbox extends Stopping {
  readonly app: FastifyInstance;
  /** What operators and an account's users see and do in it. */
  readonly view: PeoplePorts["sandbox"];
  /** The dispatches of the sandbox's VENs. */
  readonly dispatches: Required<VenDispatches>;
  /** Where the load in reports of VENs goes: it is checked as in production, and forgotten. */
  readonly uploads: Pick<UploadService, "recordTelemetry">;
  readonly certifiedOf: CertifiedOf;
}

export const wireSandbox = async (wiring: SandboxWiring): Promise<Sandbox> => {
  const { config, logger, clock, secretBox, sandboxPool: pool } = wiring;
  const windowsOf = sandboxWindows(wiring);
  const readings = sandboxReadingStore(pool);
  const scenarioPorts = {
    scenarios: scenarioStore(pool),
    transactScenario: transactScenarioOver(pool, secretBox),
    clock,
    newId,
  };
  const memory = new KeyMemory({
    authenticate: authentication(wiring),
    stamp: wiring.stamps.known.access,
    clock,
    noteUsed: wiring.noteUsedKey,
  });
  // Users of the public key must not delay tests of accounts or notices.
  const publicClient = webhookClient(publicAddresses, {
    admit: dialLimit(clock, windowsOf("dialled")),
    keepsConnections: false,
  });
  const publicProbe = publicTests(probeWebhook(publicClient, clock, newId));
  const reporting = { ...scenarioPorts, readings };
  const closer = new RunCloser({ ...reporting, reportOf: (run) => reportOf(reporting, run) });
  const service = sandboxService(wiring, { scenarioPorts, readings, closer, publicProbe });
  const once = scenarioOnceOver({ pool, secrets: secretBox, clock });
  const following = wireFollowing({
    ...wiring,
    readStamps: wiring.stamps.read,
    kinds: ["scenario.play", "scenario.end", ...visibleKinds.access],
    listsOf: scenarioLists(scenarioPorts.scenarios, clock),
  });
  const app = await buildServer(
    { ...config, keyHeader: config.apiKeyHeader, publicUrl: config.sandboxPublicUrl ?? config.publicUrl },
    {
      logger,
      keys: { authenticate: (apiKey) => memory.find(apiKey), clock },
      windowsOf,
      participant: service,
      following: following.ports,
      once,
      earlier: earlierOf(config, wiring.datedIds),
      scenarios: { ...service, once },
      health: wiring.health,
      addresses: wiring.addresses,
      noteRequest: wiring.noteRequest,
      // Its requests are rehearsals: counted with production's, they would distort those metrics.
      observe: () => {},
    },
  );
  const { scenarios } = scenarioPorts;
  const certificates = certificateStore(pool);
  const closing = new Polling({
    look: () => closer.look(),
    onError: (error) => logger.warn({ err: error }, "the report of a scenario run could not be stored; retrying"),
    clock,
  });
  closing.start();
  const delivery = config.roles.includes("worker") ? startDelivery(wiring) : NOTHING;
  return {
    app,
    view: {
      ports: { ...portsOver(wiring), once, newSecret: wiring.webhooks.newSecret, probe: wiring.webhooks.probe },
      service,
      scenarios,
      certificates,
      reportOf: (scenario) => reportOf(reporting, scenario),
    },
    dispatches: scenarioDispatches(scenarios, clock),
    uploads: service,
    certifiedOf: async (accountIds) => (await certificates.newestOfEach(accountIds)).map(certifiedBy),
    async stop() {
      await Promise.all([closing.stop(), following.stop()]);
      await Promise.all([delivery.stop(), publicClient.close()]);
    },
  };
};

interface SandboxParts {
  readonly scenarioPorts: ScenarioPorts;
  readonly readings: SandboxReadings;
  readonly closer: RunCloser;
  /** For the public key. */
  readonly publicProbe: ProbeWebhook;
}

const sandboxService = (
  wiring: SandboxWiring,
  { scenarioPorts, readings, closer, publicProbe }: SandboxParts,
): SandboxService => {
  const { maxReadings } = wiring.config;
  const windowsOf = sandboxWindows(wiring);
  const ports = { ...portsOver(wiring), ...wiring.webhooks };
  const forAll = publicService({ ...ports, probe: publicProbe, maxReadings, tests: windowsOf("public tests") });
  const forAccounts = accountService(forAll, {
    ports,
    scenarioPorts,
    readings,
    closer,
    named: windowsOf("sites of scenarios"),
    own: { meters: meterDirectory(wiring.pool), chargeMeters: chargeMeters(wiring.pool) },
    maxReadings,
  });
  return byKey(({ accountId }) => (accountId === publicCaller.accountId ? forAll : forAccounts));
};

/** Rehearsals do not count in production. */
const sandboxWindows =
  ({ limits }: Basis): WindowsOf =>
  (scope) =>
    limits.windowsOf(`sandbox: ${scope}`);

const portsOver = ({ sandboxPool: pool, clock, secretBox }: Basis): Ports<Stores> => ({
  stores: storesOver(pool, secretBox),
  transact: transactOver(pool, secretBox),
  clock,
  newId,
});

const authentication = ({ config, keys, clock }: SandboxWiring) => {
  const publicKey = hashToken(config.sandboxPublicKey);
  return async (apiKey: string): ReturnType<typeof authenticate> =>
    equalHashes(publicKey, hashToken(apiKey))
      ? publicCaller
      : authenticate({ keys, secrets: keySecrets, clock }, apiKey, "sandbox");
};

/** Its own client and worker: receivers that hang in the sandbox take nothing from production's. */
const startDelivery = (wiring: SandboxWiring): Stopping => {
  const { sandboxPool: pool, logger, clock, secretBox, webhooks, datedIds, gate, due } = wiring;
  const client = webhookClient(webhooks.policy);
  const queue = loggingFailures(deliveryQueue(pool, secretBox, sandboxQueue), logger);
  const worker = new DeliveryWorker(
    { queue, clock, send: sendDelivery(client, { clock, ids: datedIds, tracing: null }), random: Math.random },
    logger,
    unobserved,
  );
  due.onAll(dueDeliveries("sandbox."), worker.carriers);
  gate.whenReleased(() => worker.start());
  return {
    async stop() {
      await worker.stop();
      await client.close();
    },
  };
};

/** Production's metrics do not include rehearsals. */
const unobserved: AttemptObserver = { observeAttempt: () => {} };

/** The sandbox sends no email: the last failure is logged (G40). */
const loggingFailures = (queue: DeliveryQueue, logger: Logger): DeliveryQueue => ({
  ...queue,
  async record(sent) {
    await queue.record(sent);
    for (const { item, outcome } of sent) {
      if (outcome.state !== "failed") continue;
      const { id, webhookId, dispatchId } = item;
      const why = outcome.attempt.error;
      logger.warn({ delivery: id, webhookId, dispatchId, why }, "a sandbox delivery failed for good");
    }
  },
});
