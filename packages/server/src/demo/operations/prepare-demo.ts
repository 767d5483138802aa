import {
  fleetTable,
  type PastDispatch,
  type ProgramKey,
  pastCallsOf,
  pastDispatches,
  programKeys,
  programs,
} from "@curtail/simulation";
import { createDispatch } from "../../dispatch/operations/create-dispatch.js";
import { importSites } from "../../oversight/operations/import-sites.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { LONGEST_OPEN_HOURS } from "../../portfolio/domain/program.js";
import { createProgram, enrolSite } from "../../portfolio/operations/manage-programs.js";
import { changeSite } from "../../portfolio/operations/manage-sites.js";
import { type Demo, HISTORY_DAYS, historyOf, nextOfHistory, preparedShare, SET_UP_SHARE } from "../domain/demo.js";
import { type Fleet, type FleetSite, fleet } from "./fleet.js";
import type { DemoPorts, DemoStores } from "./switch-demo.js";

export interface PreparePorts extends DemoPorts {
  readonly fleet: Pick<Fleet, "accounts" | "upload">;
}

const ACTOR = "service";

/** Takes one step of the preparation: the fleet, then a stretch of readings, last the past dispatches. */
export const prepareStep = async (ports: PreparePorts, demo: Demo): Promise<void> => {
  if (demo.filledUntil === null) return setUp(ports);
  const history = historyOf(demo.startedAt);
  const stretch = nextOfHistory(demo.filledUntil, history.to);
  if (stretch === null) return finish(ports);
  const past = pastOf(demo);
  await ports.fleet.upload(await ports.fleet.accounts(), stretch, ({ spec }) => pastCallsOf(spec, past));
  const progress = preparedShare(stretch.to, history);
  await whilePreparing(ports, async (_within, now) => ({ ...now, filledUntil: stretch.to, progress }));
};

const pastOf = ({ startedAt }: Demo): readonly PastDispatch[] => pastDispatches(startedAt.getTime(), HISTORY_DAYS);

type Within = Ports<DemoStores>;

/** Changes the demo with all consequences or none, unless it is being removed. */
const whilePreparing = async (
  ports: DemoPorts,
  change: (within: Within, demo: Demo) => Promise<Demo>,
): Promise<void> => {
  await ports.transact(async (stores) => {
    const demo = await stores.demo.lock();
    if (demo?.state !== "preparing") return;
    await stores.demo.save(await change({ ...ports, stores, transact: (work) => work(stores) }, demo));
  });
};

/**
 * Creates programs, accounts, sites and enrolments, all or nothing, with the operations of the operator interface. This takes
 * seconds: the demo is locked last, so that its removal need not wait, and undoes this.
 */
const setUp = async (ports: PreparePorts): Promise<void> => {
  await ports.transact(async (stores): Promise<Refusal | undefined> => {
    const programIds = await addFleet({ ...ports, stores, transact: (work) => work(stores) });
    const demo = await stores.demo.lock();
    if (demo?.state !== "preparing") return invalid("The demo was removed meanwhile.");
    if (demo.filledUntil !== null) return invalid("Another process has set up the demo.");
    const { from } = historyOf(demo.startedAt);
    await stores.demo.save({ ...demo, programIds, filledUntil: from, progress: SET_UP_SHARE });
    return undefined;
  });
};

/** Returns the ids of its programs. */
const addFleet = async (within: Within & Pick<PreparePorts, "fleet">): Promise<readonly string[]> => {
  const programIds = new Map<ProgramKey, string>();
  for (const key of programKeys) programIds.set(key, done(await createProgram(within, ACTOR, newProgram(key))).id);
  const { header, rows } = fleetTable(fleet);
  const table = { header, rows: rows.map((cells, at) => ({ line: at + 2, cells })) };
  done(await importSites(within, ACTOR, { table, isNearConfirmed: false }));
  for (const { sites } of await within.fleet.accounts(within.stores))
    for (const site of sites) await enrolAndShow(within, site, programIds);
  return [...programIds.values()];
};

const enrolAndShow = async (
  within: Within,
  { id: siteId, spec }: FleetSite,
  programIds: ReadonlyMap<ProgramKey, string>,
): Promise<void> => {
  done(await changeSite(within, ACTOR, siteId, { displayed: true }, true));
  for (const key of spec.programs) {
    const programId = programIds.get(key) ?? "";
    done(await enrolSite(within, ACTOR, { programId, siteId, commitmentKw: spec.commitmentKw, baseline: null }));
  }
};

const newProgram = (key: ProgramKey) => {
  const { program_type: programType, ...program } = programs[key];
  return {
    ...program,
    programType,
    scheduleCutoffSeconds: 0,
    openadr: null,
    holidays: {},
    statusLimits: null,
    testsAreEvents: true,
    correctionsDays: null,
    longestOpenHours: LONGEST_OPEN_HOURS,
    isPublic: false,
  };
};

/** Records the dispatches that the readings responded to; their results follow as for any dispatch. */
const finish = (ports: PreparePorts): Promise<void> =>
  whilePreparing(ports, async (within, demo) => {
    for (const each of pastOf(demo).toSorted((a, b) => a.startMs - b.startMs)) await record(within, demo, each);
    return { ...demo, state: "on", progress: 1 };
  });

const record = async (within: Within, demo: Demo, { program, startMs, endMs }: PastDispatch): Promise<void> => {
  done(
    await createDispatch(within, ACTOR, {
      programId: demo.programIds[programKeys.indexOf(program)] ?? "",
      notification: null,
      start: new Date(startMs),
      end: new Date(endMs),
      test: false,
      sites: null,
      confirmPast: true,
    }),
  );
};

/** The demo gives nothing that could be refused: a refusal is a bug, and rolls everything back. */
const done = <T>(result: Result<T>): T => {
  if (isRefusal(result)) throw new Error(`a step of the demo was refused: ${result.message}`);
  return result;
};
