// Runs vitest and counts what it reports.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root } from "./built-once.mjs";

/** More files than this fail for a reason. */
const MOST_REPEATED = 8;

/**
 * Runs vitest to its end.
 *
 * @param args vitest's own: projects, paths of files
 * @param repeats whether a file that failed is run once more, by itself: on a slow machine hooks fail, too
 * @returns numbers of tests, and a line for each that failed, also for one that passed when it was repeated
 */
export const runVitest = async ({ repeats = false, ...run }) => {
  const result = await runOnce(run);
  return repeats ? onceMore(run, result) : result;
};

/**
 * Two rows of runs at once, each row in order; what the second prints follows the first.
 *
 * @returns the results of all runs
 */
export const runBeside = async (row, beside, { repeats = false } = {}) => {
  const others = beside.map((run) => ({ ...run, env: { ...run.env, TEST_CACHE: "beside" } }));
  const folder = mkdtempSync(join(tmpdir(), "curtail-test-"));
  const output = openSync(join(folder, "output"), "a");
  const results = await Promise.all([inTurn(row), inTurn(others.map((run) => ({ ...run, output })))]);
  closeSync(output);
  process.stdout.write(readFileSync(join(folder, "output")));
  rmSync(folder, { recursive: true });
  return repeats ? allOnceMore([...row, ...others], results.flat()) : results.flat();
};

const inTurn = async (runs) => {
  const results = [];
  for (const run of runs) results.push(await runOnce(run));
  return results;
};

const allOnceMore = async (runs, results) => {
  const more = [];
  for (const [at, run] of runs.entries()) more.push(await onceMore(run, results[at]));
  return more;
};

const onceMore = async (run, first) => {
  const { failedFiles } = first;
  if (failedFiles.length === 0 || failedFiles.length > MOST_REPEATED) return first;
  process.stdout.write(`once more: ${failedFiles.join(", ")}\n`);
  const args = [...run.args.filter((arg) => !arg.endsWith(".ts")), ...failedFiles];
  return together(first, await runOnce({ ...run, args }));
};

/** The result of a run and of its failed files once more: what failed before is counted as repeated, and named. */
export const together = (first, second) => ({
  ...second,
  passed: first.passed - first.passedBeside + second.passed,
  skipped: first.skipped,
  repeated: first.failed,
  failures: [...first.failures.map((text) => `repeated, after it ${text}`), ...second.failures],
});

/** @param output an open file, where what vitest prints goes; absent: it is printed */
const runOnce = async ({ args, node = process.execPath, env: more = {}, output }) => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-test-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const env = { ...process.env, TEST_COMPILED: "1", ...more };
  const stdio = output === undefined ? "inherit" : ["ignore", output, output];
  const vitest = `${root}/node_modules/vitest/vitest.mjs`;
  const [status] = await once(spawn(node, [vitest, "run", ...reporters, ...args], { cwd: root, stdio, env }), "exit");
  const result = counted(report);
  rmSync(folder, { recursive: true });
  // Something outside any test failed: a process that did not end, or an unhandled error.
  return status !== 0 && result.failed === 0 ? { ...result, failed: 1, failures: [OUTSIDE] } : result;
};

const OUTSIDE = "failed: something outside any test, which vitest tells above";

const NOTHING = { passed: 0, failed: 0, skipped: 0, repeated: 0, failedFiles: [], passedBeside: 0, failures: [] };

const counted = (report) => {
  try {
    return countsOf(JSON.parse(readFileSync(report, "utf8")));
  } catch {
    return { ...NOTHING, failed: 1, failures: ["failed: the report of vitest is missing"] };
  }
};

/** What vitest's JSON says: also a file that could not be loaded has failed, though it has no tests to count. */
export const countsOf = ({ numPassedTests, numFailedTests, numPendingTests, testResults }) => {
  const failed = testResults.filter(({ status }) => status === "failed");
  const withoutFailedTest = failed.filter(({ assertionResults }) => !assertionResults.some(hasFailed));
  return {
    ...NOTHING,
    passed: numPassedTests,
    failed: numFailedTests + withoutFailedTest.length,
    skipped: numPendingTests,
    failedFiles: failed.map(({ name }) => relative(root, name)),
    // These pass again when their file is run once more.
    passedBeside: failed.flatMap(({ assertionResults }) => assertionResults.filter(hasPassed)).length,
    failures: failed.flatMap(failuresOf),
  };
};

const hasPassed = ({ status }) => status === "passed";
const hasFailed = ({ status }) => status === "failed";

const failuresOf = ({ name, message, assertionResults }) => {
  const texts = assertionResults
    .filter(hasFailed)
    .map(({ fullName, failureMessages }) => `${fullName}\n${firstLines(failureMessages[0] ?? "")}`);
  return (texts.length === 0 ? [message] : texts).map((text) => `failed: ${relative(root, name)} > ${text}`);
};

const firstLines = (text) => text.split("\n").slice(0, 6).join("\n");
