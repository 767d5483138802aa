import { randomInt } from "node:crypto";
import fc from "fast-check";

/** As often as fast-check by itself. */
const USUAL_RUNS = 100;
const FIXED_SEED = 1;
const LARGEST = 2 ** 31 - 1;

interface Bound {
  /** Runs however many are asked for: as many as take about ten seconds. */
  readonly atMost?: number;
}

/** How properties run in an environment. @throws if one of its variables is no whole number */
export const propertyPlan = (environment: NodeJS.ProcessEnv) => {
  const wanted = wholeNumber(environment, "TEST_PROPERTY_RUNS");
  return {
    seed: wholeNumber(environment, "TEST_PROPERTY_SEED") ?? (wanted === null ? FIXED_SEED : randomInt(LARGEST)),
    runs: (atTheDesk: number, { atMost = LARGEST }: Bound = {}): number =>
      Math.max(atTheDesk, Math.min(wanted ?? 0, atMost)),
  };
};

const wholeNumber = (environment: NodeJS.ProcessEnv, name: string): number | null => {
  const text = environment[name];
  if (text === undefined) return null;
  if (/^\d{1,10}$/.test(text) && Number(text) <= LARGEST) return Number(text);
  throw new Error(`Set ${name} to a whole number up to ${LARGEST}, or unset it: it is "${text}".`);
};

const plan = propertyPlan(process.env);

/** The same in every run at the desk; in a long run a new one, which fast-check prints when a property fails. */
export const propertySeed: number = plan.seed;

/** How often to try a property that takes long, or needs many runs: `atTheDesk`, or as often as `TEST_PROPERTY_RUNS` asks. */
export const propertyRuns = (atTheDesk: number, bound?: Bound): number => plan.runs(atTheDesk, bound);

/** A property of a long run begins no further case after this: it may have a test's thirty seconds. */
const SEARCH_MS = 10_000;

/** Unlike fast-check's own limits it lets the case under way end: its effects would be the next test's. */
export const untilLate =
  (searchMs: number): fc.Plugin<unknown> =>
  () => {
    const endMs = performance.now() + searchMs;
    return {
      decorateRun: (run) => (value) => (performance.now() < endMs ? run(value) : new fc.PreconditionFailure(true)),
    };
  };

/** For properties that do not say how often they run, and for the seed of all. */
export const setPropertyDefaults = (): void =>
  fc.configureGlobal({ numRuns: propertyRuns(USUAL_RUNS), seed: propertySeed });

// Once, however many files set defaults.
if (process.env["TEST_PROPERTY_RUNS"] !== undefined) fc.installGlobalPlugin(untilLate(SEARCH_MS));
