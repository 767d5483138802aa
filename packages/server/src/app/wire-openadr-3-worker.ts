import type { Retailer } from "@curtail/openadr-3";
import type pg from "pg";
import { projectionSources, STALE_CHANNEL } from "../openadr-3/storage/projection-sources.js";
import { projectionWorker } from "../openadr-3/worker/projection-worker.js";
import type { LoopClock } from "../platform/clock.js";
import type { Wakes } from "../platform/database/commit-listener.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import { newId } from "../platform/runtime/secrets.js";
import type { SecretBox } from "../platform/secret-box.js";
import { transactOver } from "./stores.js";

/** What follows dispatches, programs and sites in OpenADR 3. */
export interface Openadr3Worker {
  /** For a listener to commits. */
  readonly wakes: Wakes;
  wakeForNotice(): void;
  start(): void;
  stop(): Promise<void>;
}

export interface Openadr3WorkerWiring {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly clock: LoopClock;
  readonly secretBox: SecretBox;
}

export const wireOpenadr3Worker = ({
  config,
  pool,
  logger,
  clock,
  secretBox,
}: Openadr3WorkerWiring): Openadr3Worker => {
  const projection = projectionWorker({
    sources: projectionSources(pool),
    transact: transactOver(pool, secretBox),
    clock,
    newId,
    retailer: retailerOf(config),
    log: logger,
  });
  return {
    wakes: { [STALE_CHANNEL]: () => projection.wake() },
    wakeForNotice: () => projection.wake(),
    start: () => projection.start(),
    stop: () => projection.stop(),
  };
};

const retailerOf = ({ openadr3Retailer: name, openadr3Country: place }: Config): Retailer => ({
  name,
  country: place?.slice(0, 2) ?? null,
  subdivision: place !== null && place.length > 2 ? place : null,
});
