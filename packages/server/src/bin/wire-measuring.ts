import type pg from "pg";
import { type Finishing, PerformanceWatch } from "../delivery/performance-watch.js";
import { correctDispatches, finishDispatches } from "../operations/finish-dispatches.js";
import { LivePerformance, LOOK_WAIT_MS } from "../operations/live-performance.js";
import type { Ports } from "../operations/ports.js";
import { type PerformanceView, performanceView } from "../operations/view-performance.js";
import type { Config } from "../runtime/config.js";
import type { Logger } from "../runtime/logger.js";
import { measurementReader } from "../storage/measurement-reader.js";

/** What measures dispatches: every process those that are looked at, a worker those that are to be finished. */
export interface Measuring {
  readonly live: LivePerformance;
  readonly view: PerformanceView;
  stop(): Promise<void>;
}

export interface MeasuringWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly ports: Ports;
  /** How long a look waits for the first reading of a dispatch; given by tests. */
  readonly lookWaitMs?: number | undefined;
}

export const wireMeasuring = ({
  config,
  pool,
  logger,
  ports: { stores, transact, clock, newId },
  lookWaitMs: waitMs = LOOK_WAIT_MS,
}: MeasuringWiring): Measuring => {
  const reader = measurementReader(pool);
  const onError = (error: unknown) =>
    logger.error({ err: error }, "a dispatch could not be measured; the next look follows");
  const ports = { reader, late: stores.late, store: stores.performance, transact, clock, newId };
  const live = new LivePerformance(ports, { onError, waitMs });
  const finishing: Finishing = {
    unfinished: (startingBy) => reader.unfinished(startingBy),
    finish: (ids) => finishDispatches(ports, live, ids),
    correct: () => correctDispatches(ports, live),
  };
  const watch = new PerformanceWatch(
    { live, clock, finishing: config.roles.includes("worker") ? finishing : null },
    onError,
  );
  watch.start();
  return {
    live,
    view: performanceView({ live, reader, store: stores.performance }),
    async stop() {
      await Promise.all([watch.stop(), live.stop()]);
    },
  };
};
