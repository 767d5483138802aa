import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { findChromium, opensWindows } from "./scripts/find-chromium.mjs";

const server = "packages/server/test";
const onPostgres = {
  globalSetup: [`${server}/support/global-setup.ts`],
  // Tests leave much garbage: with more room for it, it is collected in a third of the time.
  execArgv: ["--max-semi-space-size=64"],
};

const pure = [
  "packages/{agent,cli,client,contract,docs,holidays,measure,meter-data,node-red,openadr,openadr-3,simulation,spool,web}/test/**/*.test.ts",
  `${server}/{*/domain,platform/runtime}/**/*.test.ts`,
  `${server}/platform/*.test.ts`,
];
/** Files that wait for time limits in real time, send the largest that can be sent, or start many processes: not for every change. */
const slow = [`${server}/**/*.slow.test.ts`];
/** Files that need a process of their own. */
const alone = [`${server}/**/*.process.test.ts`, "packages/embedded-postgres/test/**/*.test.ts"];
const browser = ["e2e/test/browser/**/*.test.ts"];

/** One more than there are processors: tests wait for a database, a process, a page or the real clock. */
const WORKERS = Math.min(availableParallelism(), 4) + 1;
/** Those that start processes, or need the real clock, wait longest. */
const WAITING_WORKERS = WORKERS + 1;

/** Fewer where a browser opens windows: each test has a time limit, whatever else the machine does. */
const PAGE_WORKERS = opensWindows(findChromium() ?? "") ? Math.max(WORKERS - 1, 1) : WORKERS;

type Project = NonNullable<TestProjectInlineConfiguration["test"]> & { readonly name: string };

/** In this order: a group begins when the one before has ended; its projects share the workers. */
const groups: ReadonlyArray<{ readonly maxWorkers: number; readonly projects: readonly Project[] }> = [
  // No database. Threads start sooner than processes do.
  { maxWorkers: WORKERS, projects: [{ name: "unit", include: pure, pool: "threads", isolate: false }] },
  {
    maxWorkers: WORKERS,
    projects: [
      // Starts the service in the test's process. Not isolated: loading the service takes longer than most of the files.
      {
        name: "service",
        include: [`${server}/**/*.test.ts`],
        exclude: [...pure, ...slow, ...alone],
        isolate: false,
        ...onPostgres,
      },
    ],
  },
  {
    maxWorkers: WAITING_WORKERS,
    projects: [
      { name: "slow", include: slow, isolate: false, testTimeout: 60_000, ...onPostgres },
      // Starts the service, or another program, as a process.
      {
        name: "process",
        include: ["{demo,e2e}/test/**/*.test.ts"],
        exclude: browser,
        isolate: false,
        testTimeout: 90_000,
        ...onPostgres,
      },
      { name: "isolated", include: alone, testTimeout: 90_000, ...onPostgres },
    ],
  },
  {
    maxWorkers: PAGE_WORKERS,
    // The files of a worker share a browser. Pages load beside other browsers and services.
    projects: [{ name: "browser", include: browser, isolate: false, testTimeout: 60_000, ...onPostgres }],
  },
];

const projects = groups.flatMap((group, groupOrder) =>
  group.projects.map((test): Project => ({ ...test, maxWorkers: group.maxWorkers, sequence: { groupOrder } })),
);

/** Begun first of their projects, so that none of them runs alone at the end. */
const longest = [
  "bad-input-longest.slow",
  "real-time",
  "fresh-clone",
  "webhook-kill",
  "participant-kill",
  "demo",
  "stopping",
  "rolling-upgrade",
  "stop-while-starting",
  "kill",
  "operations-dispatches",
  "open-page",
  "portfolio-looks",
  "policies",
  "dashboard-integration",
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return rank === -1 ? longest.length : rank;
};

/** A worker that several files share ends with the last of them in a row: project by project. */
const placeOf = ({ project }: TestSpecification): number => projects.findIndex(({ name }) => name === project.name);

/** Like vitest's own, by each file's last duration; a fresh clone has no durations yet. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b) || rankOf(a) - rankOf(b));
  }
}

const sources = fileURLToPath(new URL("packages/server/src", import.meta.url));
const compiled = fileURLToPath(new URL("packages/server/dist", import.meta.url));

/** Loads the compiled server in place of its sources: transforming them takes a third of a short run. */
const compiledServer: Plugin = {
  name: "compiled-server",
  enforce: "pre",
  resolveId: (source, importer) => {
    if (importer === undefined || !source.startsWith(".")) return null;
    const path = join(dirname(importer), source);
    return path.startsWith(`${sources}/`) ? compiled + path.slice(sources.length) : null;
  },
};

/** `npm test` has just compiled it; whoever calls vitest runs what is being edited. The rest mocks modules, or has none. */
// oxlint-disable-next-line no-process-env -- vitest has no arguments for its configuration.
const compiledIn = process.env["TEST_COMPILED"] === "1" ? ["service", "slow"] : [];

// Our sequencer would disable `--sequence.shuffle.files`.
const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"));

// Tests run on the built form of other packages than their own.
export default defineConfig({
  test: {
    projects: projects.map((test) => ({
      extends: true,
      plugins: compiledIn.includes(test.name) ? [compiledServer] : [],
      test,
    })),
    setupFiles: ["packages/testing/dist/each-file.js"],
    // Node loads what is compiled: vitest would transform it again.
    server: { deps: { external: [/\/packages\/(?:[a-z0-9-]+\/dist|testing)\//] } },
    pool: "forks",
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine takes longer than the usual second; the poll ends as soon as it succeeds.
    expect: { poll: { timeout: 15_000 } },
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
