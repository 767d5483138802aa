import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { Condition } from "../domain/alarm.js";
import { diskCondition } from "../domain/disk-space.js";
import { isRefusal } from "../domain/refusal.js";
import { SignInFailures } from "../domain/sign-in-limit.js";
import type { Ven } from "../domain/ven.js";
import { buildServer, type Side } from "../http/build-server.js";
import { KeyMemory } from "../http/key-memory.js";
import type { HealthPorts } from "../http/routes/health.js";
import { type Disk, withDiskHeeded } from "../operations/heed-disk.js";
import { withDisplayHeeded } from "../operations/heed-display.js";
import { inviteFirstUser } from "../operations/invite-users.js";
import { RequestLog } from "../operations/log-requests.js";
import { authenticate, claimKey, type KeyPorts } from "../operations/manage-keys.js";
import { identify } from "../operations/manage-sessions.js";
import { claimCertificate } from "../operations/manage-vens.js";
import type { WebhookPorts } from "../operations/manage-webhooks.js";
import { AccountPolls } from "../operations/note-account-polls.js";
import { type ParticipantService, participantService } from "../operations/participant-service.js";
import { ReadRecorder, withReadsRecorded } from "../operations/record-reads.js";
import type { PerformanceView } from "../operations/view-performance.js";
import type { Config } from "../runtime/config.js";
import type { Logger } from "../runtime/logger.js";
import { buildMetrics, type Metrics } from "../runtime/metrics.js";
import { oidcClient } from "../runtime/oidc-client.js";
import { passwords } from "../runtime/passwords.js";
import { equalHashes, hashToken, keySecrets, newId, tokens } from "../runtime/secrets.js";
import { totpCodes } from "../runtime/totp-codes.js";
import { accountPollStore } from "../storage/account-polls.js";
import { controllableLoadStore } from "../storage/controllable-load-store.js";
import { type DatabaseClock, startDatabaseClock } from "../storage/database-clock.js";
import { DiskWatch, type Statfs } from "../storage/disk-watch.js";
import { dispatchReadStore } from "../storage/dispatch-read-store.js";
import { dispatchView } from "../storage/dispatch-store.js";
import { oldestUndeliveredSeconds, openAlarms, unreachedDispatchAccounts } from "../storage/gauges.js";
import { meterDirectory } from "../storage/meter-directory.js";
import { onboardingReader } from "../storage/onboarding-store.js";
import { overviewReader } from "../storage/overview-store.js";
import { reachReader } from "../storage/reach-reader.js";
import { requestArchive } from "../storage/request-log-store.js";
import { siteHealthReader } from "../storage/site-health-reader.js";
import { storesOver, transactOver } from "../storage/stores.js";
import { energyReader, lastReadings, telemetryReader } from "../storage/telemetry-reader.js";
import { TelemetryWriter } from "../storage/telemetry-writer.js";
import { OpenadrAuthority } from "../vtn/ven-authority.js";
import { configuredUrl, listeningUrl, operatorAddress, serviceAddresses } from "./addresses.js";
import { operatorTokenCheck } from "./operator-token.js";
import { pageFolder } from "./page-folder.js";
import { noteRefusedOver } from "./refused-credentials.js";
import { openSecretBox } from "./secret-keys.js";
import { wireChanges } from "./wire-changes.js";
import { wireDelivery } from "./wire-delivery.js";
import { wireMeasuring } from "./wire-measuring.js";
import { wireSandbox } from "./wire-sandbox.js";
import { type Vtn, wireVtn } from "./wire-vtn.js";

/** A service over a migrated database, not yet listening. */
export interface Service {
  /** The production listener. */
  readonly app: FastifyInstance;
  /** Certifies VENs; opened, or made, when it is first needed. */
  readonly authority: OpenadrAuthority;
  readonly sandbox: FastifyInstance;
  /** The operators' listener where they have one; else the production listener serves them. */
  readonly operators: FastifyInstance | null;
  /** One-time link for the first operator-admin, while there is no user; null afterwards. Listen first. */
  inviteFirstUser(): Promise<string | null>;
  readonly vtn: Vtn;
  /** Ends the timers and waits for what is being written; the pool stays open. */
  close(): Promise<void>;
}

export interface Wiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** Given by tests; else the database's. */
  readonly clock?: DatabaseClock;
  /** Given by tests: how long a look at a dispatch waits for its first reading. */
  readonly lookWaitMs?: number | undefined;
  /** Given by tests: what live measurement may take in memory. */
  readonly measuringBytes?: number | undefined;
  /** Given by tests: what tells the space on a disk. */
  readonly statfs?: Statfs | undefined;
}

const TOUCH_MS = 10_000;

export const wireService = async ({
  config,
  pool,
  logger,
  clock: given,
  lookWaitMs,
  measuringBytes,
  statfs,
}: Wiring): Promise<Service> => {
  // Before anything is started that would have to be ended.
  const secretBox = await openSecretBox(pool, config);
  const clock =
    given ??
    (await startDatabaseClock(pool, (error) => logger.warn({ err: error }, "the database clock could not be read")));
  const metrics = buildMetrics();
  metrics.watchPool(pool);
  const disk = watchedDisk(config, logger, statfs);
  watchGauges(metrics, { pool, clock, logger, disk });
  const ports: KeyPorts = {
    stores: storesOver(pool, secretBox),
    transact: transactOver(pool, secretBox),
    clock,
    newId,
    secrets: keySecrets,
  };
  const memory = new KeyMemory(
    (apiKey) => authenticate({ ...ports, keys: ports.stores.keys }, apiKey, "production"),
    clock,
  );
  const delivery = wireDelivery({
    config,
    pool,
    logger,
    clock,
    metrics,
    alarms: { ...ports, observed: () => diskConditions(disk, config.dataDir) },
    secretBox,
    publicUrl: config.publicUrl ?? configuredUrl(config),
  });
  const authority = new OpenadrAuthority(join(config.dataDir, "openadr"), clock);
  const health = {
    whyNotReady: () => whyNotReady(pool),
    metrics: () => metrics.render(),
    isMetricsToken: metricsTokenCheck(config.metricsToken),
  };
  const sandbox = await wireSandbox({
    config,
    pool,
    logger,
    clock,
    keys: ports.stores.keys,
    secretBox,
    webhooks: delivery.webhooks,
    health,
  });
  const people = { ...ports, tokens, passwords };
  const noteRefused = noteRefusedOver(logger, metrics, clock);
  const measuring = wireMeasuring({ config, pool, logger, ports, lookWaitMs, measuringBytes });
  const changes = wireChanges(pool, clock, logger);
  const operator = {
    ...people,
    authority,
    vtnId: config.vtnId,
    performance: measuring.view,
    live: measuring.live,
    changes: changes.live,
    dispatches: dispatchView(pool),
    overview: overviewReader(pool),
    reach: reachReader(pool, clock),
    onboarding: onboardingReader(pool),
    siteHealth: siteHealthReader(pool),
    telemetry: energyReader(pool),
    ...delivery.webhooks,
    get publicUrl() {
      return config.publicUrl ?? listeningUrl(app);
    },
    get operatorUrl() {
      return operatorUrl();
    },
    previewVen: (ven: Ven) => vtn.preview(ven),
    lastReadings: (meterIds: readonly string[]) => lastReadings(pool, meterIds),
    forgetKeys: () => {
      memory.forget();
      sandbox.memory.forget();
    },
    sandbox: sandbox.view,
  };
  const wholeService = productionService({ ...ports, ...delivery.webhooks, performance: measuring.view }, pool, config);
  const production = counted(withDiskHeeded(wholeService, disk), metrics, logger);
  const reads = new ReadRecorder(dispatchReadStore(pool), logger);
  const polls = new AccountPolls(accountPollStore(pool), logger);
  const requests = config.roles.includes("api") ? new RequestLog(requestArchive(pool), clock, logger) : null;
  const sessions = {
    ...people,
    totp: totpCodes,
    failures: new SignInFailures(),
    noteRefused,
    identify: (token: string) => identify(people, token),
  };
  const serve = (side: Side, publicUrl: () => string): Promise<FastifyInstance> =>
    buildServer(
      {
        ...config,
        keyHeader: config.apiKeyHeader,
        publicUrl: (side === "operators" ? config.operatorPublicUrl : null) ?? config.publicUrl,
      },
      {
        logger,
        keys: { authenticate: (apiKey) => memory.find(apiKey), clock },
        participant: withReadsRecorded(production, { reads, polls, clock }),
        operation: {
          side,
          operator,
          isOperatorToken: operatorTokenCheck(pool, config.operatorToken),
          claimKey: (token) => claimKey(ports, token),
          sessions: {
            ...sessions,
            get publicUrl() {
              return publicUrl();
            },
          },
          identityProvider: config.oidc === null ? null : oidcClient(config.oidc),
          console: withDisplayHeeded(production, ports.stores.sites),
          claimCertificate: (token) => claimCertificate({ ...ports, authority }, token),
          pages: pageFolder(),
          addresses: () =>
            serviceAddresses(config, {
              publicUrl: operator.publicUrl,
              sandbox: sandbox.app,
              openadrPort: vtn.port(),
            }),
        },
        health,
        observe: metrics.observeRequest,
        ...(requests === null ? {} : { noteRequest: (request) => requests.note(request) }),
      },
    );
  const app = await serve(config.operatorPort === null ? "both" : "participants", () => operator.publicUrl);
  const operators: FastifyInstance | null =
    config.operatorPort === null ? null : await serve("operators", () => operatorUrl());
  const operatorUrl = (): string => (operators === null ? operator.publicUrl : operatorAddress(config, operators));
  const { policy } = delivery.webhooks;
  const scenarios = sandbox.dispatches;
  const observe = metrics.observeVen;
  const vtn = wireVtn({ config, pool, logger, clock, newId, authority, policy, scenarios, observe });
  const noteUse = async (): Promise<void> => {
    await noteUsedKeys(memory, ports, logger);
    await noteUsedKeys(sandbox.memory, ports, logger);
  };
  const touching = setInterval(() => void noteUse(), TOUCH_MS);
  return {
    app,
    authority,
    sandbox: sandbox.app,
    operators,
    async inviteFirstUser() {
      const invited = await inviteFirstUser(people);
      return invited === null ? null : `${operatorUrl()}/first-user/${invited.token}`;
    },
    vtn,
    async close() {
      await Promise.all([app.close(), operators?.close(), sandbox.app.close(), vtn.stop()]);
      await Promise.all([reads.settle(), polls.stop(), requests?.stop()]);
      await Promise.all([measuring.stop(), changes.stop()]);
      await Promise.all([delivery.stop(), sandbox.stop()]);
      clearInterval(touching);
      await noteUse();
      clock.stop();
    },
  };
};

const metricsTokenCheck = (expected: string | null): HealthPorts["isMetricsToken"] => {
  if (expected === null) return null;
  const hash = hashToken(expected);
  return (token) => equalHashes(hash, hashToken(token));
};

/** Of a database elsewhere, the service cannot know the disk. */
const watchedDisk = ({ databaseUrl, dataDir }: Config, logger: Logger, statfs: Statfs | undefined): Disk => {
  if (databaseUrl !== null) return { space: async () => null };
  const onError = (error: unknown) =>
    logger.warn({ err: error, directory: dataDir }, "the space on the disk of the data directory is not known");
  return new DiskWatch(dataDir, onError, statfs);
};

const diskConditions = async (disk: Disk, directory: string): Promise<readonly Condition[]> => {
  const space = await disk.space();
  const condition = space === null ? null : diskCondition(space, directory);
  return condition === null ? [] : [condition];
};

const watchGauges = (
  metrics: Metrics,
  { pool, clock, logger, disk }: Required<Pick<Wiring, "pool" | "clock" | "logger">> & { readonly disk: Disk },
): void =>
  metrics.watchGauges(
    {
      oldestUndeliveredSeconds: () => oldestUndeliveredSeconds(pool, clock.now()),
      unreachedDispatchAccounts: () => unreachedDispatchAccounts(pool),
      diskFreeBytes: async () => (await disk.space())?.freeBytes ?? null,
      openAlarms: () => openAlarms(pool),
    },
    (error, gauge) =>
      logger.warn({ err: error, gauge }, "a gauge could not be read; the scrape is answered without it"),
  );

const productionService = (
  ports: WebhookPorts & { readonly performance: PerformanceView },
  pool: pg.Pool,
  { maxReadings }: Config,
): ParticipantService =>
  participantService({
    ports,
    dispatches: dispatchView(pool),
    telemetry: {
      meters: meterDirectory(pool),
      archive: new TelemetryWriter(pool),
      late: ports.stores.late,
      clock: ports.clock,
      maxReadings,
    },
    controllableLoad: { archive: controllableLoadStore(pool), maxReadings, clock: ports.clock },
    reader: telemetryReader(pool),
    performance: ports.performance,
  });

const counted = (service: ParticipantService, metrics: Metrics, logger: Logger): ParticipantService => ({
  ...service,
  async changeSchedule(caller, change) {
    const block = await service.changeSchedule(caller, change);
    if (isRefusal(block) && block.code === "not_found") {
      metrics.countRefusedAttempt("schedule");
      const { accountId, actor } = caller;
      logger.warn(
        { accountId, actor, siteId: change.siteId.slice(0, 50) },
        "a schedule change was refused: the account has no such site",
      );
    }
    return block;
  },
  async recordTelemetry(caller, upload) {
    const received = await service.recordTelemetry(caller, upload);
    if (typeof received === "number") metrics.countReadings(received);
    return received;
  },
});

const noteUsedKeys = async (memory: KeyMemory, ports: KeyPorts, logger: Logger): Promise<void> => {
  const used = memory.takeUsed();
  if (used.length === 0) return;
  const minute = new Date(Math.floor(ports.clock.now().getTime() / 60_000) * 60_000);
  try {
    await ports.stores.keys.touch(used, minute);
  } catch (error) {
    logger.warn({ err: error }, "the last use of keys could not be noted; nothing else is affected");
  }
};

const whyNotReady = async (pool: pg.Pool): Promise<string | null> => {
  try {
    await pool.query("select 1");
    return null;
  } catch {
    return "the database does not answer";
  }
};
