import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const server = "packages/server/test";
const onPostgres = { globalSetup: [`${server}/support/global-setup.ts`] };

const pure = [
  "packages/{cli,contract,measure,openadr,web}/test/**/*.test.ts",
  `${server}/{*/domain,platform/runtime}/**/*.test.ts`,
  `${server}/platform/*.test.ts`,
];
/** `*.process.test.ts` needs a process of its own; `embedded-postgres` starts PostgreSQL. */
const processes = [`${server}/**/*.process.test.ts`, "packages/embedded-postgres/test/**/*.test.ts"];
const browser = ["e2e/test/browser/**/*.test.ts"];

/** In this order; each begins when the one before has ended, but for the last two, which wait much and share the workers. */
const projects: ReadonlyArray<NonNullable<TestProjectInlineConfiguration["test"]>> = [
  // No database. Threads start sooner than processes do.
  { name: "unit", include: pure, pool: "threads", isolate: false },
  // Starts the service in the test's process. Not isolated: loading the service takes longer than most of the files.
  {
    name: "service",
    include: [`${server}/**/*.test.ts`],
    exclude: [...pure, ...processes],
    isolate: false,
    ...onPostgres,
  },
  // Starts the service, PostgreSQL or another program as a process.
  { name: "process", include: ["{demo,e2e}/test/**/*.test.ts", ...processes], exclude: browser, ...onPostgres },
  { name: "browser", include: browser, ...onPostgres },
];

// Tests run on the sources of the package they belong to, and on the built packages beside it.
export default defineConfig({
  test: {
    projects: projects.map((test, index) => ({
      extends: true,
      test: { ...test, sequence: { groupOrder: Math.min(index, projects.length - 2) } },
    })),
    setupFiles: ["packages/testing/dist/each-file.js"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine takes longer than the usual second; what is waited for ends the wait.
    expect: { poll: { timeout: 15_000 } },
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
