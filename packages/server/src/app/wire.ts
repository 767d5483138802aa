import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { languageOf, type WordsFor } from "../access/domain/language.js";
import { inviteFirstUser } from "../access/operations/invite-users.js";
import type { Passwords } from "../access/operations/sign-in-ports.js";
import { findHold } from "../backup/storage/delivery-hold.js";
import { heldStart } from "../backup/worker/held-start.js";
import { OpenadrAuthority } from "../openadr/vtn/ven-authority.js";
import { lateNotes } from "../performance/operations/final/note-late-readings.js";
import { lateWindows } from "../performance/storage/late-windows.js";
import { closePool, openQueuePool, openSandboxPool } from "../platform/database/database.js";
import { type DatabaseClock, startDatabaseClock } from "../platform/database/database-clock.js";
import { datedIdStore } from "../platform/database/dated-id-store.js";
import type { Statfs } from "../platform/database/disk-watch.js";
import { isDistributed } from "../platform/database/shards.js";
import { tailStamps } from "../platform/database/stamps.js";
import { DatedIds } from "../platform/dated-ids.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import { buildMetrics } from "../platform/runtime/metrics.js";
import { passwords } from "../platform/runtime/passwords.js";
import { keySecrets, newId, tokens } from "../platform/runtime/secrets.js";
import { serviceWords } from "../platform/words.js";
import { rehearsalSources } from "../sandbox/operations/ven-dispatches.js";
import { scenarioStore } from "../sandbox/storage/scenario-store.js";
import { checkDisk } from "../telemetry/operations/refuse-when-full.js";
import { addressesOf, configuredUrl } from "./addresses.js";
import { type Basis, logBroken, type Stopping } from "./basis.js";
import { wireFollowers } from "./followers.js";
import { withStoreSettings } from "./store-settings.js";
import { onceOver, storesOver, transactOver } from "./stores.js";
import { wireObserved } from "./wire/alarms.js";
import { wireBackup } from "./wire/backup.js";
import { readBrand } from "./wire/brand.js";
import { wireDelivery } from "./wire/delivery.js";
import { wireDemo } from "./wire/demo.js";
import { wireChanges } from "./wire/following.js";
import { wireHealth } from "./wire/health.js";
import { wireJournal, wireTimetable } from "./wire/journal.js";
import { wireLimits } from "./wire/limits.js";
import { wireListeners } from "./wire/listeners.js";
import { wireMeasuring, wireProfiling, wireSettlement } from "./wire/measuring.js";
import { readMeterDataFiles } from "./wire/meter-data-thread.js";
import { wireMetricsListener } from "./wire/metrics-listener.js";
import { type Openadr3, type Openadr3Wiring, wireOpenadr3 } from "./wire/openadr-3.js";
import { retailerOf } from "./wire/openadr-3-worker.js";
import { wireOperator } from "./wire/operator.js";
import { wireProduction } from "./wire/production.js";
import { wireRequestNotes } from "./wire/request-notes.js";
import { wireSandbox } from "./wire/sandbox.js";
import { openSecretBox } from "./wire/secret-keys.js";
import { wireTracing } from "./wire/tracing.js";
import { wireArchive, wireFolding, wirePacking } from "./wire/upkeep.js";
import { visibleKinds } from "./wire/visible-kinds.js";
import { type Vtn, wireVtn } from "./wire/vtn.js";
import { watchedDisk } from "./wire/watched-disk.js";

/** A service with a migrated database, not yet listening. */
export interface Service {
  /** The production listener. */
  readonly app: FastifyInstance;
  /** Certifies VENs; opened or created on first use. */
  readonly authority: OpenadrAuthority;
  readonly sandbox: FastifyInstance;
  /** The operators' listener, if they have one; else the production listener serves them. */
  readonly operators: FastifyInstance | null;
  /** Health and metrics alone; null: they have no port of their own. */
  readonly metrics: FastifyInstance | null;
  /** One-time link for the first operator-admin, while there is no user; null afterwards. Call after listening. */
  inviteFirstUser(): Promise<string | null>;
  readonly vtn: Vtn;
  readonly openadr3: Openadr3;
  /** Stops the timers and waits for pending writes; the pool stays open. */
  close(): Promise<void>;
}

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
  readonly unwatched?: ReadonlySet<"alarms" | "demo"> | undefined;
  /** Set by tests: share of the time that preparing and removing a demo take. */
  readonly demoShare?: number | undefined;
  /** Set by tests: reads the free space of a disk. */
  readonly statfs?: Statfs | undefined;
  /** Set by tests: how OpenADR 3 clients reach an MQTT broker. */
  readonly mqttOf?: Openadr3Wiring["mqttOf"] | undefined;
  /** Set by tests: fast hashes. */
  readonly passwords?: Passwords | undefined;
}

const wordsForPeople =
  ({ language }: Config): WordsFor =>
  (choice = { own: null, account: null }) =>
    serviceWords(languageOf(choice, language));

export const wireService = async (wiring: Wiring): Promise<Service> => {
  const { pool, logger } = wiring;
  const config = await withStoreSettings(wiring.config, pool);
  // Before starting anything that would have to be stopped.
  const brand = readBrand(config);
  const secretBox = await openSecretBox(pool, config);
  const clock = wiring.clock ?? (await databaseClock(pool, logger));
  // Asked before the first request: statements on telemetry depend on it.
  await isDistributed(pool);
  const gate = await heldStart({ find: () => findHold(pool), clock, log: logger });
  const timetable = wireTimetable({ pool, logger, clock });
  const vtnPool = openQueuePool(pool, logBroken(logger));
  const limits = wireLimits(vtnPool, clock);
  const journal = wireJournal({ config, pool, logger, clock }, limits.counts);
  const metrics = buildMetrics(() => clock.monotonicMs());
  const telemetry = wireTracing({ config, pool, logger, metrics });
  const basis: Basis = {
    config,
    brand,
    pool,
    sandboxPool: openSandboxPool(pool, logBroken(logger)),
    vtnPool,
    logger,
    clock,
    metrics,
    tracing: telemetry.tracing,
    disk: watchedDisk(config, logger, wiring.statfs),
    limits: limits.limits,
    secretBox,
    datedIds: new DatedIds(datedIdStore(pool)),
    tail: journal.tail,
    stamps: tailStamps(journal.tail, visibleKinds, clock),
    due: timetable.due,
    wordsFor: wordsForPeople(config),
    gate,
  };
  const { sandboxPool, disk, stamps } = basis;
  const health = wireHealth(basis);
  const stores = storesOver(pool, secretBox);
  const ports = { stores, transact: transactOver(pool, secretBox), clock, newId, secrets: keySecrets };
  const once = onceOver({ pool, secrets: secretBox, clock });
  const people = { ...ports, tokens, passwords: wiring.passwords ?? passwords, once };
  const alarms = { ...ports, observed: wireObserved(basis) };
  const publicUrl = config.publicUrl ?? configuredUrl(config);
  const watches = (what: "alarms" | "demo"): boolean => wiring.unwatched?.has(what) !== true;
  const delivery = wireDelivery({ ...basis, watchesAlarms: watches("alarms"), alarms, publicUrl });
  const { webhooks } = delivery;
  const authority = new OpenadrAuthority(join(config.dataDir, "openadr"), clock);
  const notes = wireRequestNotes(basis, (ids, at) => stores.keys.touch(ids, at));
  const addresses = addressesOf(config);
  const sandbox = await wireSandbox({
    ...basis,
    ...notes,
    keys: stores.keys,
    webhooks,
    health,
    addresses: addresses.ofService,
  });
  const { lookWaitMs, measuringBytes } = wiring;
  const measuring = wireMeasuring({ ...basis, ports, lookWaitMs, measuringBytes });
  const settlement = wireSettlement(basis, { ...ports, standing: measuring.ports.standing });
  const changes = wireChanges(basis);
  const folding = wireFolding(basis);
  const packing = await wirePacking(basis);
  const profiling = wireProfiling(basis);
  const backups = wireBackup(basis);
  const archive = wireArchive(basis);
  const late = lateNotes({ late: stores.late, windows: lateWindows(pool, stamps.read, clock), clock });
  const service = { ...ports, ...webhooks, performance: measuring.ports.performance };
  const production = wireProduction({ ...basis, ports: service, late });
  const vtn = wireVtn({ ...basis, authority, policy: webhooks.policy, scenarios: sandbox.dispatches });
  const openadr3 = wireOpenadr3({
    ...basis,
    health,
    uploads: { production, sandbox: sandbox.uploads },
    policy: webhooks.policy,
    noteRehearsal: sandbox.dispatches.note,
    mqttOf: wiring.mqttOf,
  });
  const operator = wireOperator({
    ...basis,
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
  const demo = wireDemo({ ...basis, ports, production, share: wiring.demoShare, isWatched: watches("demo") });
  const listeners = await wireListeners({
    ...basis,
    ...notes,
    health,
    production,
    operator,
    notices: { ...ports, ...delivery.personal },
    addresses,
  });
  const ofMetrics = wireMetricsListener(basis, health);
  addresses.know({ ...listeners, sandbox, vtn, openadr3 });
  const following = wireFollowers(basis, {
    clock,
    newId,
    rehearsals: rehearsalSources(scenarioStore(sandboxPool)),
    retailer: retailerOf(config),
    hasMail: config.smtpUrl !== null,
    phones: delivery.gateway.channels,
  });
  journal.start();
  timetable.due.start();
  return {
    app: listeners.app,
    authority,
    sandbox: sandbox.app,
    operators: listeners.operators,
    metrics: ofMetrics,
    async inviteFirstUser() {
      const invited = await inviteFirstUser(people);
      return invited === null ? null : `${addresses.operatorUrl()}/first-user/${invited.token}`;
    },
    vtn,
    openadr3,
    async close() {
      await gate.stop();
      await Promise.all([listeners.close(), sandbox.app.close(), vtn.stop(), openadr3.stop(), ofMetrics?.close()]);
      await listeners.settle();
      await Promise.all([timetable.stop(), limits.stop()]);
      await stopAll([measuring, settlement, changes, notes, folding, packing, profiling, archive, backups, demo]);
      await stopAll([delivery, sandbox]);
      await following.stop();
      await Promise.all([journal.stop(), closePool(vtnPool), closePool(sandboxPool), telemetry.stop()]);
      clock.stop();
    },
  };
};

const stopAll = async (parts: readonly Stopping[]): Promise<void> =>
  void (await Promise.all(parts.map((part) => part.stop())));

const databaseClock = (pool: pg.Pool, logger: Logger): Promise<DatabaseClock> =>
  startDatabaseClock(pool, (error) => logger.warn({ err: error }, "the database clock could not be read"));
