import type pg from "pg";
import { PerformanceWatch } from "../delivery/performance-watch.js";
import { LivePerformance } from "../operations/live-performance.js";
import type { Clock } from "../operations/ports.js";
import type { Config } from "../runtime/config.js";
import type { Logger } from "../runtime/logger.js";
import { newId } from "../runtime/secrets.js";
import { measurementReader } from "../storage/measurement-reader.js";

/** What measures dispatches: every process those that are looked at, a worker those that are to be finished. */
export interface Measuring {
  readonly live: LivePerformance;
  stop(): Promise<void>;
}

export interface MeasuringWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly clock: Clock;
}

export const wireMeasuring = ({ config, pool, logger, clock }: MeasuringWiring): Measuring => {
  const reader = measurementReader(pool);
  const onError = (error: unknown) =>
    logger.error({ err: error }, "a dispatch could not be measured; the next look follows");
  const live = new LivePerformance({ reader, clock, newId }, onError);
  const finishes = config.roles.includes("worker");
  const unfinished = async (startingBy: Date) => (finishes ? reader.unfinished(startingBy) : []);
  const watch = new PerformanceWatch({ live, clock, unfinished }, onError);
  watch.start();
  return {
    live,
    async stop() {
      await Promise.all([watch.stop(), live.stop()]);
    },
  };
};
