// Runs every suite and ends with the line `N passed, N failed`. With TEST_NEWEST_LTS=1, also runs the unit tests and a
// start of the service on Node's newest line with long-term support.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NEWEST_LTS, newestLts } from "./newest-lts.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const run = (node, args) => {
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
  const env = { ...process.env, TEST_COMPILED: "1" };
  const { status } = spawnSync(node, [...vitest, ...args], { cwd: root, stdio: "inherit", env });
  const { passed, failed, skipped } = counted(report);
  rmSync(folder, { recursive: true });
  // Something outside any test failed: a process that did not end, or an unhandled error.
  return { passed, failed: status !== 0 && failed === 0 ? 1 : failed, skipped };
};

const counted = (report) => {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    // A file that could not be loaded has no tests to count, but failed.
    for (const file of testResults) printRepeated(file);
    const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
    return { passed: numPassedTests, failed: numFailedTests + broken, skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

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

const runs = [
  run(process.execPath, process.argv.slice(2)),
  ...(process.env.TEST_NEWEST_LTS === "1" ? runOnNewestLts() : []),
];
const sum = (what) => runs.reduce((total, each) => total + each[what], 0);
if (sum("skipped") > 0) process.stdout.write(`${sum("skipped")} skipped: each says why above\n`);
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exit(sum("failed") === 0 ? 0 : 1);
