import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { findChromium, opensWindows } from "./scripts/find-chromium.mjs";

const server = "packages/server/test";
const onPostgres = {
  globalSetup: [`${server}/support/global-setup.ts`],
  // Tests leave much garbage: with more room for it, it is collected in a third of the time; by one thread, as the others have files of
  // their own.
  execArgv: ["--max-semi-space-size=64", "--single-threaded-gc"],
};

/** One more than there are processors: tests wait for a page, or a file to be read. */
const WORKERS = Math.min(availableParallelism(), 4) + 1;
/** Those that wait for a database, a process or the real clock wait longer. */
const WAITING_WORKERS = WORKERS + 1;

/** Processes and pages run beside the services, in a run of their own. */
const BESIDE = { workers: Math.max(WORKERS - 1, 1) };
const BESIDE_MANY = { workers: WORKERS };

/** Fewer where a browser opens windows: each test has a time limit, whatever else the machine does. */
const PAGE_WORKERS = opensWindows(findChromium() ?? "") ? Math.max(WORKERS - 1, 1) : WORKERS;

type Test = NonNullable<TestProjectInlineConfiguration["test"]>;
type Project = Test & { readonly name: string };

/** Paths of test files, without the ending. */
const pure = [
  "packages/{agent,cli,client,contract,docs,holidays,measure,meter-data,node-red,openadr,openadr-3,simulation,spool,web,words}/test/**/*",
  `${server}/{*/domain,platform/runtime}/**/*`,
  `${server}/platform/*`,
];
/** Files that need a process of their own. */
const alone = [`${server}/**/*.process`, "packages/embedded-postgres/test/**/*"];
const browser = ["e2e/test/browser/**/*"];

/** A kind of tests, which is a project of each lane. */
interface Kind {
  readonly name: string;
  readonly files: readonly string[];
  readonly but?: readonly string[];
  readonly workers: number;
  readonly test: Test;
}

// No database. Threads start sooner than processes do.
const unit: Kind = { name: "unit", files: pure, workers: WORKERS, test: { pool: "threads", isolate: false } };
// Starts the service in the test's process. Not isolated: loading the service takes longer than most of the files.
const service: Kind = {
  name: "service",
  files: [`${server}/**/*`],
  but: [...pure, ...alone],
  workers: WAITING_WORKERS,
  test: { isolate: false, ...onPostgres },
};
// Starts the service, or another program, as a process.
const processes: Kind = {
  name: "process",
  files: ["{demo,e2e}/test/**/*"],
  but: browser,
  workers: WAITING_WORKERS,
  test: { isolate: false, testTimeout: 90_000, ...onPostgres },
};
const isolated: Kind = {
  name: "isolated",
  files: alone,
  workers: WAITING_WORKERS,
  test: { testTimeout: 90_000, ...onPostgres },
};
// The files of a worker share a browser. Pages load beside other browsers and services.
const pages: Kind = {
  name: "browser",
  files: browser,
  workers: PAGE_WORKERS,
  test: { isolate: false, testTimeout: 60_000, ...onPostgres },
};

/** A lane has a project of each kind, with the files whose names end so. */
interface Lane {
  readonly suffix: string;
  readonly ending: string;
  readonly exclude: readonly string[];
  readonly testTimeout: number;
  /** In this order: a group begins when the one before has ended; its projects share the workers. */
  readonly groups: ReadonlyArray<readonly Kind[]>;
}

const lanes: readonly Lane[] = [
  {
    suffix: "",
    ending: ".test.ts",
    exclude: ["**/*.long.test.ts"],
    testTimeout: 30_000,
    groups: [
      [unit],
      [{ ...service, test: { ...service.test, env: { TEST_PLANS: "once" } } }],
      [
        { ...processes, ...BESIDE },
        { ...isolated, ...BESIDE },
      ],
      [{ ...pages, ...BESIDE }],
    ],
  },
  // Kills, races, volume, looks, other programs: the parts of scripts/long-parts.mjs.
  {
    suffix: "-long",
    ending: ".long.test.ts",
    exclude: [],
    testTimeout: 60_000,
    groups: [
      [unit],
      [
        { ...service, ...BESIDE_MANY },
        { ...processes, ...BESIDE_MANY },
        { ...isolated, ...BESIDE_MANY },
      ],
      [{ ...pages, ...BESIDE }],
    ],
  },
];

const projectsOf = ({ suffix, ending, exclude, testTimeout, groups }: Lane, first: number): readonly Project[] => {
  const named = (paths: readonly string[]): string[] => paths.map((path) => path + ending);
  return groups.flatMap((kinds, index) =>
    kinds.map(({ name, files, but = [], workers, test }) => ({
      testTimeout,
      ...test,
      name: name + suffix,
      include: named(files),
      exclude: [...named(but), ...exclude],
      maxWorkers: workers,
      sequence: { groupOrder: first + index },
    })),
  );
};

/** Groups of all lanes are counted on. */
const MOST_GROUPS = 10;

const projects = lanes.flatMap((lane, index) => projectsOf(lane, index * MOST_GROUPS));

/** Begun first of their projects, so that none of them runs alone at the end; of either lane. */
const longest = [
  "idle-statements.process",
  "agent",
  "bad-input-longest",
  "real-time",
  "instructions",
  "fresh-clone",
  "demo-kill",
  "backup",
  "typed-clients",
  "restore.process",
  "docs-code",
  "packing-kill",
  "performance-same",
  "operations-large",
  "open-page",
  "demo",
  "dashboard-integration",
  "portfolio-accounts",
  "policies",
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((name) =>
    [".test.ts", ".long.test.ts"].some((ending) => moduleId.endsWith(`/${name}${ending}`)),
  );
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

/** `src` of a package, whose compiled form lies beside it in `dist`; pages and scripts of the documentation have none that node could load. */
const SOURCE = /^(.*\/(?:packages\/(?!web\/)[a-z0-9-]+|demo))\/src\/(?!browser\/)/;

/** Loads compiled sources in place of transforming them, which takes a third of a short run. */
const compiledSources: Plugin = {
  name: "compiled-sources",
  enforce: "pre",
  resolveId: (source, importer) => {
    if (importer === undefined || !source.startsWith(".")) return null;
    const path = join(dirname(importer), source);
    return SOURCE.test(path) ? path.replace(SOURCE, "$1/dist/") : null;
  },
};

/** Files of this project mock modules, which must be transformed for it. */
const MOCKING = "isolated-long";

/** `npm test` has just compiled them; whoever calls vitest runs what is being edited. */
// oxlint-disable-next-line no-process-env -- vitest has no arguments for its configuration.
const isCompiled = process.env["TEST_COMPILED"] === "1";

// Our sequencer would disable `--sequence.shuffle.files`.
const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"));

// Tests run on the built form of other packages than their own.
export default defineConfig({
  // oxlint-disable-next-line no-process-env -- as above; durations of two runs at once are kept apart.
  cacheDir: join("node_modules/.vite", process.env["TEST_CACHE"] ?? ""),
  test: {
    projects: projects.map((test) => ({
      extends: true,
      plugins: isCompiled && test.name !== MOCKING ? [compiledSources] : [],
      test,
    })),
    setupFiles: ["packages/testing/dist/each-file.js"],
    // Node loads what is compiled: vitest would transform it again.
    server: { deps: { external: [/\/(?:packages\/[a-z0-9-]+|demo)\/dist\//, /\/packages\/testing\//] } },
    pool: "forks",
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    // The first of a run to prepare a folder with a database makes it for all.
    hookTimeout: 120_000,
    // A busy machine takes longer than the usual second; the poll ends as soon as it succeeds.
    expect: { poll: { timeout: 15_000 } },
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
