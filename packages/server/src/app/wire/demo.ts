import { Fleet, type FleetInterface } from "../../demo/operations/fleet.js";
import { Removing } from "../../demo/operations/remove-demo.js";
import { demoStep } from "../../demo/operations/run-demo.js";
import { simulatedSiteStep } from "../../demo/operations/run-simulated-site.js";
import { demoRemains } from "../../demo/storage/demo-remains.js";
import { demoLease } from "../../demo/storage/demo-store.js";
import { learnedCalls, learnedCallsOf } from "../../demo/storage/learned-calls.js";
import { simulatedSiteRemains } from "../../demo/storage/simulated-site-remains.js";
import { simulatedSiteLease } from "../../demo/storage/simulated-site-store.js";
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

/** Simulates the demo or the simulated site in worker processes, if there is one. */
export const wireDemo = (wiring: DemoWiring): Stopping => {
  const { config, pool, logger, tail, ports, production, isWatched, share = SHARE } = wiring;
  if (!config.roles.includes("worker")) return NOTHING;
  const { stores, clock } = ports;
  const reads = new ReadRecorder(dispatchReadStore(pool), logger);
  const polls = accountPolls({ archive: accountPollStore(pool), clock, log: logger });
  const participant = withReadsRecorded<FleetInterface>(production, { reads, polls, clock });
  const [lease, siteLease] = [demoLease(pool, ports.newId("prc")), simulatedSiteLease(pool, ports.newId("prc"))];
  const archive = archiveFolder(archivePath(config));
  const fleet = new Fleet({ stores, participant, maxReadings: config.maxReadings });
  const removing = new Removing(demoRemains(pool, archive), ports);
  const demo = { ...ports, fleet, lease, learned: learnedCalls(pool), removing };
  const site = {
    ...ports,
    fleet,
    lease: siteLease,
    learned: learnedCallsOf(pool),
    deleteAll: simulatedSiteRemains(pool, archive),
  };
  // Without one, nothing is asked until one is added, which may be while somebody looks.
  let mayHaveSite = true;
  const siteStep = async (): Promise<Step> => {
    mayHaveSite = false;
    let isThere = true;
    try {
      const step = await simulatedSiteStep(site);
      isThere = step.isThere;
      return step;
    } finally {
      mayHaveSite ||= isThere;
    }
  };
  const worker = new PacedWorker<Step>({
    // A demo has no simulated site next to it.
    step: async () => {
      const ofDemo = await demoStep(demo);
      return ofDemo.isDone && mayHaveSite ? siteStep() : ofDemo;
    },
    clock,
    share,
    idleMs: IDLE_MS,
    onError: (error) => logger.error({ err: error }, "the simulation could not go on; trying again in some seconds"),
  });
  // Others notice within seconds.
  tail.wakeOn(["demo.start", "demo.remove", "simulated_site.add", "simulated_site.remove"], () => {
    mayHaveSite = true;
    worker.wake();
  });
  if (isWatched) worker.start();
  return {
    async stop() {
      await worker.stop();
      await Promise.all([reads.settle(), polls.stop()]);
      // After a kill, another process waits for the end of the lease.
      await Promise.all([lease.release(), siteLease.release()]).catch((error: unknown) =>
        logger.warn({ err: error }, "the simulation is held a little longer"),
      );
    },
  };
};
