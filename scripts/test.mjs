// Runs every suite and ends with the line `N passed, N failed`. With TEST_NEWEST_LTS=1, also runs the unit tests and a
// start of the service on Node's newest line with long-term support; with TEST_DESKTOP=1, also some browser tests in a
// browser with windows; with TEST_LINT=1, lints meanwhile.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium, findDesktopBrowser } from "./find-chromium.mjs";
import { NEWEST_LTS, newestLts } from "./newest-lts.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** More files than this fail for a reason. */
const MOST_REPEATED = 3;

/** In CI, a file that failed is run once more by itself: on a slow machine hooks fail, too, and are not repeated. */
const run = (node, args, more = {}) => {
  const first = runOnce(node, args, more);
  const { failedFiles, failures } = first;
  const repeats = process.env.CI !== undefined && failedFiles.length > 0 && failedFiles.length <= MOST_REPEATED;
  if (!repeats) return first;
  process.stdout.write(`once more: ${failedFiles.join(", ")}\n`);
  const second = runOnce(node, [...args.filter((arg) => !arg.endsWith(".ts")), ...failedFiles], more);
  return {
    ...second,
    passed: first.passed - first.passedBeside + second.passed,
    skipped: first.skipped,
    failures: [...failures.map((text) => `at first, ${text}`), ...second.failures],
  };
};

const runOnce = (node, args, more) => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-test-"));
  const report = join(folder, "report.json");
  const vitest = [
    `${root}/node_modules/vitest/vitest.mjs`,
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...(process.env.CI === undefined ? [] : ["--retry=1"]),
  ];
  const env = { ...process.env, TEST_COMPILED: "1", ...more };
  const { status } = spawnSync(node, [...vitest, ...args], { cwd: root, stdio: "inherit", env });
  const result = counted(report);
  rmSync(folder, { recursive: true });
  // Something outside any test failed: a process that did not end, or an unhandled error.
  return { ...result, failed: status !== 0 && result.failed === 0 ? 1 : result.failed };
};

const counted = (report) => {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    // A file that could not be loaded has no tests to count, but failed.
    for (const file of testResults) printRepeated(file);
    const failed = testResults.filter((file) => file.status === "failed");
    const broken = failed.filter((file) => file.assertionResults.length === 0).length;
    return {
      passed: numPassedTests,
      failed: numFailedTests + broken,
      skipped: numPendingTests,
      failedFiles: failed.map(({ name }) => relative(root, name)),
      // These pass again when their file is run once more.
      passedBeside: failed.flatMap(({ assertionResults }) => assertionResults.filter(hasPassed)).length,
      failures: failed.flatMap(failuresOf),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failedFiles: [], passedBeside: 0, failures: ["the report is missing"] };
  }
};

const hasPassed = ({ status }) => status === "passed";

const failuresOf = ({ name, message, assertionResults }) => {
  const failed = assertionResults.filter(({ status }) => status === "failed");
  const texts = failed.map(({ fullName, failureMessages }) => `${fullName}\n${firstLines(failureMessages[0] ?? "")}`);
  return (failed.length === 0 ? [message] : texts).map((text) => `failed: ${relative(root, name)} > ${text}`);
};

const firstLines = (text) => text.split("\n").slice(0, 6).join("\n");

/** Tests that CI repeated: they passed, but failed before. */
const printRepeated = ({ name, assertionResults }) => {
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status === "passed" && failureMessages.length > 0)
      process.stdout.write(`passed when repeated: ${name} > ${fullName}\n${failureMessages[0]}\n`);
  }
};

const runOnNewestLts = () => {
  const node = newestLts();
  if (node === null) {
    process.stdout.write(`Node ${NEWEST_LTS} cannot be had: nothing is tested on it\n`);
    return [];
  }
  process.stdout.write(`on Node ${NEWEST_LTS}:\n`);
  return [run(node, ["--project", "unit"]), run(node, ["--project", "process", "e2e/test/process.test.ts"])];
};

/**
 * Tests whose result may depend on the browser: what counts as a fault, policies, missing pages, charts, long tables,
 * keys, printing, first loads. All tests in it would take twice the time of the headless shell, more than CI has.
 */
const desktopFiles = [
  "faults",
  "policies",
  "bare",
  "docs",
  "charts",
  "operations-large",
  "finding",
  "after-the-day",
  "first-load",
].map((name) => `e2e/test/browser/${name}.test.ts`);

const runInDesktopBrowser = () => {
  const browser = findDesktopBrowser();
  if (browser === undefined || browser === findChromium()) {
    process.stdout.write("no second browser, with windows: no page is tested in it\n");
    return [];
  }
  process.stdout.write(`in ${browser}:\n`);
  return [run(process.execPath, ["--project", "browser", ...desktopFiles], { CHROMIUM_PATH: browser })];
};

/** Lints with what the tests leave of the processor; the result is that of a run with one test. */
const lintBeside = () => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-lint-"));
  const output = openSync(join(folder, "output"), "w");
  const child = spawn("npm", ["run", "--silent", "lint:files"], { cwd: root, stdio: ["ignore", output, output] });
  setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const ended = once(child, "exit");
  return async () => {
    const [status] = await ended;
    const said = readFileSync(join(folder, "output"), "utf8");
    rmSync(folder, { recursive: true });
    process.stdout.write(`lint:\n${said}`);
    return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0, failures: status === 0 ? [] : ["failed: lint"] };
  };
};

const linted = process.env.TEST_LINT === "1" ? lintBeside() : null;
const runs = [
  run(process.execPath, process.argv.slice(2)),
  ...(process.env.TEST_DESKTOP === "1" ? runInDesktopBrowser() : []),
  ...(process.env.TEST_NEWEST_LTS === "1" ? runOnNewestLts() : []),
  ...(linted === null ? [] : [await linted()]),
];
// At the end, where they are found without reading all of the output.
for (const failure of runs.flatMap(({ failures }) => failures)) process.stdout.write(`${failure}\n`);
const sum = (what) => runs.reduce((total, each) => total + each[what], 0);
if (sum("skipped") > 0) process.stdout.write(`${sum("skipped")} skipped: each says why above\n`);
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exit(sum("failed") === 0 ? 0 : 1);
