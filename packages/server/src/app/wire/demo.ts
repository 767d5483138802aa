import { Fleet, type FleetInterface } from "../../demo/operations/fleet.js";
import { Removing } from "../../demo/operations/remove-demo.js";
import { demoStep } from "../../demo/operations/run-demo.js";
import { demoRemains } from "../../demo/storage/demo-remains.js";
import { demoLease } from "../../demo/storage/demo-store.js";
import { learnedCalls } from "../../demo/storage/learned-calls.js";
import { accountPolls, ReadRecorder, withReadsRecorded } from "../../notification/operations/record-reads.js";
import { dispatchReadStore } from "../../notification/storage/dispatch-read-store.js";
import { accountPollStore } from "../../openadr/storage/usual-polls.js";
import type { LoopClock } from "../../platform/clock.js";
import { archiveFolder } from "../../platform/files/archive-folder.js";
import type { Ports } from "../../platform/ports.js";
import { PacedWorker, type Step } from "../../platform/worker/paced-worker.js";
import { type Basis, NOTHING, type Stopping } from "../basis.js";
import type { Stores } from "../stores.js";
import { archivePath } from "./upkeep.js";

interface DemoWiring extends Basis {
  readonly ports: Ports<Stores> & { readonly clock: LoopClock };
  /** The participants' interface in production. */
  readonly production: FleetInterface;
  /** Whether to look for a demo. */
  readonly isWatched: boolean;
  /** Share of the time that preparing and removing take; set by tests. */
  readonly share?: number | undefined;
}

/** Most of the time is left to requests. */
const SHARE = 0.3;
/** How often the fleet polls. */
const IDLE_MS = 5000;

/** Simulates the demo in worker processes, if there is one. */
export const wireDemo = (wiring: DemoWiring): Stopping => {
  const { config, pool, logger, tail, ports, production, isWatched, share = SHARE } = wiring;
  if (!config.roles.includes("worker")) return NOTHING;
  const { stores, clock } = ports;
  const reads = new ReadRecorder(dispatchReadStore(pool), logger);
  const polls = accountPolls({ archive: accountPollStore(pool), clock, log: logger });
  const participant = withReadsRecorded<FleetInterface>(production, { reads, polls, clock });
  const lease = demoLease(pool, ports.newId("prc"));
  const { maxReadings } = config;
  const running = {
    ...ports,
    fleet: new Fleet({ stores, participant, maxReadings }),
    lease,
    learned: learnedCalls(pool),
    removing: new Removing(demoRemains(pool, archiveFolder(archivePath(config))), ports),
  };
  const worker = new PacedWorker<Step>({
    step: () => demoStep(running),
    clock,
    share,
    idleMs: IDLE_MS,
    onError: (error) => logger.error({ err: error }, "the demo could not go on; trying again in some seconds"),
  });
  // Others notice within seconds.
  tail.wakeOn(["demo.start", "demo.remove"], () => worker.wake());
  if (isWatched) worker.start();
  return {
    async stop() {
      await worker.stop();
      await Promise.all([reads.settle(), polls.stop()]);
      // After a kill, another process waits for the end of the lease.
      await lease.release().catch((error: unknown) => logger.warn({ err: error }, "the demo is held a little longer"));
    },
  };
};
