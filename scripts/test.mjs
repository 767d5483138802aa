// Runs every suite and ends with the line `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "curtail-test-"));
const report = join(folder, "report.json");
const vitest = [
  `${root}/node_modules/vitest/vitest.mjs`,
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
];

const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });

const counted = () => {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    // A file that could not even be loaded has no tests to count, and has failed.
    const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
    return { passed: numPassedTests, failed: numFailedTests + broken, skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

const { passed, failed, skipped } = counted();
rmSync(folder, { recursive: true });
// Something outside any test went wrong: a process that did not end, an error nobody caught.
const unaccounted = status !== 0 && failed === 0 ? 1 : 0;
if (skipped > 0) process.stdout.write(`${skipped} skipped: each says why above\n`);
process.stdout.write(`${passed} passed, ${failed + unaccounted} failed\n`);
process.exit(failed + unaccounted === 0 ? 0 : 1);
