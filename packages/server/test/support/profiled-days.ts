import type { LoadProfile } from "@curtail/measure";
import { Profiling } from "../../src/performance/operations/make-profiles.js";
import { historyOf } from "../../src/performance/operations/measure-dispatch.js";
import { type MeasurementReader, NO_HISTORY } from "../../src/performance/operations/measurement-ports.js";
import { SiteMeasurement } from "../../src/performance/operations/site-measurement.js";
import { measurementReader } from "../../src/performance/storage/measurement-reader.js";
import { profileStore } from "../../src/performance/storage/profile-store.js";
import { rulesStore } from "../../src/portfolio/storage/rules-store.js";
import { newStampsOnly } from "./measuring.js";
import type { Running } from "./running.js";

/** Makes all profiles that are missing; returns how many. */
export const makeProfiles = async ({ database, clock }: Running): Promise<number> => {
  const profiling = new Profiling({ store: profileStore(database.servicePool), now: () => clock.now() });
  for (let made = 0; ; ) {
    const step = await profiling.step();
    if (step.isDone) return made;
    made += step.made;
  }
};

const readerOf = ({ database }: Running): MeasurementReader =>
  measurementReader(database.servicePool, { ...newStampsOnly, rules: rulesStore(database.pool) });

/** How the first site of a dispatch is measured, with and without profiles, and how many were found. */
export const measuredBothWays = async (service: Running, dispatchId: string) => {
  const reader = readerOf(service);
  let found = 0;
  const counting: MeasurementReader = {
    ...reader,
    async profiles(...asked) {
      const profiles = await reader.profiles(...asked);
      found += profiles.reduce((sum, { size }) => sum + size, 0);
      return profiles;
    },
  };
  const bare: MeasurementReader = {
    ...reader,
    profiles: async (...asked) => asked.map(() => new Map<number, LoadProfile>()),
  };
  const [profiled, read] = [await measured(service, counting, dispatchId), await measured(service, bare, dispatchId)];
  return { profiled, read, found };
};

const measured = async ({ clock }: Running, reader: MeasurementReader, dispatchId: string) => {
  const dispatch = await reader.findDispatch(dispatchId, {});
  const [site] = dispatch?.sites ?? [];
  if (dispatch === null || site === undefined) throw new Error("the dispatch has a site");
  const history = (await historyOf({ reader }, dispatch)).get(site.id) ?? NO_HISTORY;
  const nowMs = clock.now().getTime();
  return (await SiteMeasurement.read(reader, { dispatch, site, history }, nowMs)).explained(nowMs);
};
