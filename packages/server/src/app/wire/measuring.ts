import { totalmem } from "node:os";
import type { AccessStores } from "../../access/operations/access-stores.js";
import { correctDispatches } from "../../performance/operations/final/correct-dispatches.js";
import {
  finishDispatches,
  LateFinishing,
  PiecewiseFinishing,
} from "../../performance/operations/final/finish-dispatches.js";
import { LivePerformance, LOOK_WAIT_MS } from "../../performance/operations/live/live-performance.js";
import { TracedTargets } from "../../performance/operations/live/traced-targets.js";
import { Profiling } from "../../performance/operations/make-profiles.js";
import type { PerformanceStores } from "../../performance/operations/performance-stores.js";
import { KeptReports } from "../../performance/operations/report/kept-reports.js";
import { tryMethods } from "../../performance/operations/report/try-method.js";
import { performanceView } from "../../performance/operations/report/view-performance.js";
import { dueCorrections } from "../../performance/storage/correction-store.js";
import { measurementReader } from "../../performance/storage/measurement-reader.js";
import { profileStore } from "../../performance/storage/profile-store.js";
import { standingReader } from "../../performance/storage/standing-reader.js";
import { type Finishing, performanceWatch } from "../../performance/worker/performance-watch.js";
import { traceStore } from "../../platform/database/trace-store.js";
import { Polling } from "../../platform/polling.js";
import type { Ports } from "../../platform/ports.js";
import { stampsOrNew } from "../../platform/stamps.js";
import { RARELY_MS } from "../../platform/timetable.js";
import { PacedWorker } from "../../platform/worker/paced-worker.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { type RestatingPorts, restateStatements } from "../../settlement/operations/make-statement.js";
import type { SettlementStores } from "../../settlement/operations/settlement-stores.js";
import { type SharingPorts, sharedEnergyIn } from "../../settlement/operations/shared-energy.js";
import { dueStatementWork } from "../../settlement/storage/due-statements.js";
import { type Basis, NOTHING, type Stopping } from "../basis.js";
import type { PeoplePorts } from "../routes/server-ports.js";

/** Measures dispatches: in every process those that are looked at, in workers those to be finished. */
export interface Measuring extends Stopping {
  /** What routes ask. */
  readonly ports: Pick<
    PeoplePorts,
    "keptReports" | "live" | "measured" | "performance" | "sharedIn" | "standing" | "tryMethods"
  >;
}

interface MeasuringWiring extends Basis {
  readonly ports: Ports<PerformanceStores & PortfolioStores & SharingPorts["stores"] & Pick<AccessStores, "accounts">>;
  /** How long a look waits for the first read of a dispatch; set by tests. */
  readonly lookWaitMs?: number | undefined;
  /** Memory for live measurement; set by tests. */
  readonly measuringBytes?: number | undefined;
}

const GIGABYTE = 1_000_000_000;

/** A quarter of this process's memory, at most a gigabyte: some 30,000 sites in dispatches of two hours. */
const memoryShare = (): number => {
  const limit = process.constrainedMemory();
  return Math.min(GIGABYTE, (limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 4);
};

export const wireMeasuring = (wiring: MeasuringWiring): Measuring => {
  const { config, pool, stamps, logger, clock, due } = wiring;
  const { stores, transact, newId } = wiring.ports;
  const { lookWaitMs: waitMs = LOOK_WAIT_MS, measuringBytes: budgetBytes = memoryShare() } = wiring;
  const reader = measurementReader(pool, { rules: stores.rules, read: stampsOrNew(stamps.read), known: stamps.known });
  const standing = standingReader(pool);
  const onError = (error: unknown) => logger.error({ err: error }, "a dispatch could not be measured; retrying");
  const ports = { reader, late: stores.late, store: stores.performance, transact, clock, newId };
  const live = new LivePerformance(ports, { onError, waitMs, budgetBytes });
  const belowTarget =
    wiring.tracing === null
      ? null
      : new TracedTargets({ tracing: wiring.tracing, store: traceStore(pool), clock, log: logger });
  const piecewise = new PiecewiseFinishing(ports, live, onError);
  const finishing: Finishing = {
    unfinished: (startingBy) => reader.unfinished(startingBy),
    async finish(unfinished) {
      await belowTarget?.look(live.trackers());
      await finishDispatches(
        ports,
        live,
        unfinished.map(({ id }) => id),
      );
      piecewise.begin(unfinished);
    },
  };
  const corrections = new Polling({
    look: (stopping) => correctDispatches({ ...ports, corrections: stores.corrections, onError, stopping }, live),
    onError,
    clock,
    everyMs: RARELY_MS,
  });
  const late = new LateFinishing(ports, live);
  const isWorker = config.roles.includes("worker");
  const watch = performanceWatch(
    { live, clock, finishing: isWorker ? finishing : null, finishLate: () => late.finish() },
    onError,
  );
  watch.start();
  if (isWorker) {
    due.on(dueCorrections, corrections);
    corrections.start();
  }
  return {
    ports: {
      keptReports: new KeptReports(clock),
      live,
      measured: reader,
      performance: performanceView({ live, reader, clock, store: stores.performance }),
      sharedIn: sharedEnergyIn({ stores, standing }),
      standing,
      tryMethods: tryMethods({ reader, stores, clock }),
    },
    async stop() {
      await Promise.all([watch.stop(), corrections.stop()]);
      await Promise.all([piecewise.stop(), live.stop()]);
    },
  };
};

/** A day ends once a day in each time zone, and a day without a profile is computed from its readings. */
const PROFILING_IDLE_MS = 600_000;
/** Makes load profiles in worker processes. */
export const wireProfiling = ({ config, pool, logger, clock }: Basis): Stopping => {
  const { packShare, roles } = config;
  if (!roles.includes("worker")) return NOTHING;
  const profiling = new Profiling({ store: profileStore(pool), now: () => clock.now() });
  const worker = new PacedWorker({
    step: () => profiling.step(),
    clock,
    share: packShare / 100,
    idleMs: PROFILING_IDLE_MS,
    onError: (error) =>
      logger.error({ err: error }, "load profiles of days could not be made; trying again in ten minutes"),
  });
  worker.start();
  return worker;
};

type SettlementPorts = Omit<RestatingPorts, "due" | "onError"> & {
  readonly stores: Pick<SettlementStores, "dueStatements">;
};

/** Keeps statements up to date in worker processes. */
export const wireSettlement = ({ config, logger, clock, due }: Basis, ports: SettlementPorts): Stopping => {
  if (!config.roles.includes("worker")) return NOTHING;
  const onError = (error: unknown) => logger.error({ err: error }, "a statement could not be made again; retrying");
  const look = () => restateStatements({ ...ports, due: ports.stores.dueStatements, onError });
  const drawing = new Polling({ look, clock, onError, everyMs: RARELY_MS });
  due.on(dueStatementWork, drawing);
  drawing.start();
  return drawing;
};
