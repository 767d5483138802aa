import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { KeyMemory } from "../access/http/key-memory.js";
import { inviteFirstUser } from "../access/operations/invite-users.js";
import { RequestLog } from "../access/operations/log-requests.js";
import { authenticate } from "../access/operations/manage-keys.js";
import type { Passwords } from "../access/operations/sign-in-ports.js";
import { requestArchive } from "../access/storage/request-log-store.js";
import { findHold } from "../backup/storage/delivery-hold.js";
import { heldStart } from "../backup/worker/held-start.js";
import { OpenadrAuthority } from "../openadr/vtn/ven-authority.js";
import { lateNotes } from "../performance/operations/note-late-readings.js";
import { lateWindows } from "../performance/storage/late-windows.js";
import { closePool, openQueuePool, openSandboxPool } from "../platform/database/database.js";
import { type DatabaseClock, startDatabaseClock } from "../platform/database/database-clock.js";
import { datedIdStore } from "../platform/database/dated-id-store.js";
import type { Statfs } from "../platform/database/disk-watch.js";
import { tailStamps } from "../platform/database/stamps.js";
import { DatedIds } from "../platform/dated-ids.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import { buildMetrics } from "../platform/runtime/metrics.js";
import { passwords } from "../platform/runtime/passwords.js";
import { keySecrets, newId, tokens } from "../platform/runtime/secrets.js";
import { rehearsalSources } from "../sandbox/operations/rehearsals.js";
import { scenarioStore } from "../sandbox/storage/scenario-store.js";
import { checkDisk } from "../telemetry/operations/refuse-when-full.js";

import { type Addresses, addressesOf, configuredUrl } from "./addresses.js";
import { followersOver } from "./followers.js";
import { logBroken } from "./log-broken.js";
import { readMeterDataFiles } from "./meter-data-thread.js";
import { openSecretBox } from "./secret-keys.js";
import { onceOver, storesOver, transactOver } from "./stores.js";
import { noteUsedKeys } from "./used-keys.js";
import { visibleKinds } from "./visible-kinds.js";
import { watchedDisk } from "./watched-disk.js";
import { wireObserved } from "./wire-alarms.js";
import { wireArchive } from "./wire-archive.js";
import { wireBackup } from "./wire-backup.js";
import { wireChanges } from "./wire-changes.js";
import { wireDelivery } from "./wire-delivery.js";
import { wireDemo } from "./wire-demo.js";
import { wireFollowers } from "./wire-followers.js";
import { wireHealth } from "./wire-health.js";
import { wireJournal } from "./wire-journal.js";
import { type Listeners, wireListeners } from "./wire-listeners.js";
import { wireMeasuring } from "./wire-measuring.js";
import { type Openadr3, type Openadr3Wiring, wireOpenadr3 } from "./wire-openadr-3.js";
import { retailerOf } from "./wire-openadr-3-worker.js";
import { wireOperator } from "./wire-operator.js";
import { wirePacking } from "./wire-packing.js";
import { wireProduction } from "./wire-production.js";
import { byEnvironment, wireSandbox } from "./wire-sandbox.js";
import { wireSettlement } from "./wire-settlement.js";
import { wireTimetable } from "./wire-timetable.js";
import { type Vtn, wireVtn } from "./wire-vtn.js";

/** A service with a migrated database, not yet listening. */
export interface Service {
  /** The production listener. */
  readonly app: FastifyInstance;
  /** Certifies VENs; opened or created on first use. */
  readonly authority: OpenadrAuthority;
  readonly sandbox: FastifyInstance;
  /** The operators' listener, if they have one; else the production listener serves them. */
  readonly operators: FastifyInstance | null;
  /** One-time link for the first operator-admin, while there is no user; null afterwards. Call after listening. */
  inviteFirstUser(): Promise<string | null>;
  readonly vtn: Vtn;
  readonly openadr3: Openadr3;
  /** Stops the timers and waits for pending writes; the pool stays open. */
  close(): Promise<void>;
}

type Unwatched = ReadonlySet<"alarms" | "demo">;

export interface Wiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** Set by tests; default: the database's clock. */
  readonly clock?: DatabaseClock;
  /** Set by tests: how long a look at a dispatch waits for its first read. */
  readonly lookWaitMs?: number | undefined;
  /** Set by tests: memory for live measurement. */
  readonly measuringBytes?: number | undefined;
  /** Set by tests: what is not looked for all the time. */
  readonly unwatched?: Unwatched | undefined;
  /** Set by tests: share of the time that preparing and removing a demo take. */
  readonly demoShare?: number | undefined;
  /** Set by tests: reads the free space of a disk. */
  readonly statfs?: Statfs | undefined;
  /** Set by tests: how OpenADR 3 clients reach an MQTT broker. */
  readonly mqttOf?: Openadr3Wiring["mqttOf"] | undefined;
  /** Set by tests: fast hashes. */
  readonly passwords?: Passwords | undefined;
}

export const wireService = async (wiring: Wiring): Promise<Service> => {
  const { config, pool, logger } = wiring;
  // Before starting anything that would have to be stopped.
  const secretBox = await openSecretBox(pool, config);
  const clock = wiring.clock ?? (await databaseClock(pool, logger));
  const gate = await heldStart({ find: () => findHold(pool), clock, log: logger });
  const metrics = buildMetrics(() => clock.monotonicMs());
  const disk = watchedDisk(config, logger, wiring.statfs);
  const health = wireHealth({ config, pool, logger, clock, metrics, disk });
  const stores = storesOver(pool, secretBox);
  const ports = { stores, transact: transactOver(pool, secretBox), clock, newId, secrets: keySecrets };
  const once = onceOver({ pool, secrets: secretBox, clock });
  const people = { ...ports, tokens, passwords: wiring.passwords ?? passwords, once };
  const alarms = { ...ports, observed: wireObserved({ config, pool, clock, disk }) };
  const publicUrl = config.publicUrl ?? configuredUrl(config);
  const sandboxPool = openSandboxPool(pool, logBroken(logger));
  const datedIds = new DatedIds(datedIdStore(pool));
  const due = wireTimetable({ pool, logger, clock });
  const journal = wireJournal({ config, pool, logger, clock });
  const stamps = tailStamps(journal.tail, visibleKinds, clock);
  const { read: readStamps } = stamps;
  const watches = (what: "alarms" | "demo"): boolean => wiring.unwatched?.has(what) !== true;
  const delivery = wireDelivery({
    watchesAlarms: watches("alarms"),
    config,
    pool,
    sandboxPool,
    logger,
    clock,
    metrics,
    alarms,
    secretBox,
    datedIds,
    due,
    stamps,
    tail: journal.tail,
    publicUrl,
    gate,
  });
  const { webhooks } = delivery;
  const authority = new OpenadrAuthority(join(config.dataDir, "openadr"), clock);
  const requests = new RequestLog(requestArchive(pool), clock, logger);
  const memory = new KeyMemory(
    (apiKey) => authenticate({ ...ports, keys: stores.keys }, apiKey, "production"),
    stamps.known.access,
    clock,
  );
  const sandbox = await wireSandbox({
    requests,
    readStamps,
    config,
    pool,
    sandboxPool,
    logger,
    clock,
    keys: stores.keys,
    secretBox,
    datedIds,
    webhooks,
    tail: journal.tail,
    health,
    addresses: () => addresses.ofService(),
    gate,
    due,
    keyStamp: stamps.known.access,
  });
  const measuring = wireMeasuring({ ...wiring, ports, stamps, due });
  const settlement = wireSettlement({ config, logger, due, ports: { ...ports, standing: measuring.reports.standing } });
  const changes = wireChanges({ pool, tail: journal.tail, clock, logger });
  const packing = wirePacking({ config, pool, logger, clock, metrics });
  const backups = wireBackup({ config, pool, logger, clock, gate });
  const archive = wireArchive({ config, pool, logger, clock, metrics });
  const vtnPool = openQueuePool(pool, logBroken(logger));
  const vtn: Vtn = wireVtn({
    config,
    pool: vtnPool,
    readStamps,
    logger,
    clock,
    newId,
    authority,
    policy: webhooks.policy,
    scenarios: sandbox.dispatches,
    observe: metrics.observeVen,
    gate,
    due,
  });
  const openadr3 = wireOpenadr3({
    config,
    pool: vtnPool,
    logger,
    clock,
    newId,
    secretBox,
    stamps,
    tail: journal.tail,
    metrics,
    health,
    uploads: {
      production: { recordTelemetry: (caller, upload) => production.recordTelemetry(caller, upload) },
      sandbox: sandbox.uploads,
    },
    policy: webhooks.policy,
    noteRehearsal: sandbox.dispatches.note ?? (async () => {}),
    mqttOf: wiring.mqttOf,
    gate,
  });
  const addresses: Addresses = addressesOf(config, () => ({
    app: listeners.app,
    operators: listeners.operators,
    sandbox: sandbox.app,
    openadrPort: vtn.port(),
    openadr3Url: openadr3.url(),
  }));
  const late = lateNotes({ late: stores.late, windows: lateWindows(pool, readStamps, clock), clock });
  const operator = wireOperator({
    config,
    pool,
    ports: people,
    authority,
    measuring,
    changes,
    delivery,
    sandbox,
    addresses,
    importing: {
      read: readMeterDataFiles(),
      late,
      keepDays: config.keepTelemetry,
      checkDisk: () => checkDisk(disk),
      noteStored: (count) => metrics.countReadings(count),
    },
    previewVen: vtn.preview,
  });
  const service = { ...ports, ...webhooks, performance: measuring.view };
  const production = wireProduction({ config, pool, logger, metrics, disk, ports: service, late });
  const demo = wireDemo({
    config,
    pool,
    logger,
    ports,
    production,
    share: wiring.demoShare,
    isWatched: watches("demo"),
  });
  journal.tail.wakeOn(["demo.start", "demo.remove"], () => demo.wake());
  const listeners: Listeners = await wireListeners({
    config,
    pool,
    logger,
    clock,
    metrics,
    memory,
    readStamps,
    datedIds,
    health,
    production,
    operator,
    notices: { ...ports, ...delivery.personal },
    tail: journal.tail,
    addresses,
    noteRequest: byEnvironment({ production: requests, sandbox: sandbox.requests }),
  });
  const rehearsals = rehearsalSources(scenarioStore(sandboxPool));
  const followers = followersOver({
    clock,
    newId,
    rehearsals,
    retailer: retailerOf(config),
    hasMail: config.smtpUrl !== null,
    phones: delivery.gateway.channels,
  });
  const following = wireFollowers({ config, pool, logger, clock, secretBox, tail: journal.tail, due, followers });
  journal.start();
  due.start();
  const touchKeys = (ids: readonly string[], at: Date) => stores.keys.touch(ids, at);
  const usedKeys = noteUsedKeys(
    [...[memory, sandbox.memory].map((keys) => ({ takeUsed: () => keys.takeUsed(), touch: touchKeys })), openadr3.used],
    clock,
    logger,
  );
  return {
    app: listeners.app,
    authority,
    sandbox: sandbox.app,
    operators: listeners.operators,
    async inviteFirstUser() {
      const invited = await inviteFirstUser(people);
      return invited === null ? null : `${addresses.operatorUrl()}/first-user/${invited.token}`;
    },
    vtn,
    openadr3,
    async close() {
      await gate.stop();
      await Promise.all([listeners.close(), sandbox.app.close(), vtn.stop(), openadr3.stop()]);
      await listeners.settle();
      await due.stop();
      await Promise.all([
        measuring.stop(),
        settlement.stop(),
        changes.stop(),
        requests.stop(),
        packing.stop(),
        archive.stop(),
        backups.stop(),
        demo.stop(),
      ]);
      await Promise.all([delivery.stop(), sandbox.stop()]);
      await Promise.all([usedKeys.stop(), following.stop()]);
      await Promise.all([journal.stop(), closePool(vtnPool), closePool(sandboxPool)]);
      clock.stop();
    },
  };
};

const databaseClock = (pool: pg.Pool, logger: Logger): Promise<DatabaseClock> =>
  startDatabaseClock(pool, (error) => logger.warn({ err: error }, "the database clock could not be read"));
