// Runs a lane of tests, and ends with the line `N passed, N failed`.
//
//   desk [ARG…]   all but the long lane, as `npm test`; arguments are vitest's, such as a file
//   fast          the tests that a change concerns, within a minute
//   long [PART…]  the long lane, or these parts of it; `since COMMIT`: the parts whose sources changed since
//   ci            `desk`, and the parts of the long lane whose sources changed: all if the commit has a file `.ci/long`
//
// With TEST_LINT=1, lints meanwhile.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./built-once.mjs";
import { changedFiles } from "./changes.mjs";
import { fastTests, lastSeconds } from "./fast-tests.mjs";
import { isLong, testFiles } from "./globs.mjs";
import { runParts } from "./long-lane.mjs";
import { PARTS, partsFor } from "./long-parts.mjs";
import { runBeside, runVitest } from "./run-vitest.mjs";

const repeats = process.env.CI !== undefined;

/** Who names a file of the long lane, or a project, gets it. */
const isChosen = (arg) => /\.long\b|^--project/.test(arg);

/** Processes and pages wait while services do not: each takes what the other leaves of the processor. */
const SERVICES = ["--project=unit", "--project=service"];
const OTHERS = ["--project=process", "--project=isolated", "--project=browser"];

const desk = async (args) => {
  if (args.length === 0) return runBeside([{ args: SERVICES }], [{ args: OTHERS }], { repeats });
  return [await runVitest({ args: args.some(isChosen) ? args : ["--project=!*-long", ...args], repeats })];
};

const fast = async () => {
  const files = testFiles().filter((file) => !isLong(file));
  const { chosen, left } = fastTests({ files, changed: changedFiles(), seconds: lastSeconds() });
  const results = chosen.length === 0 ? [] : [await runVitest({ args: chosen })];
  if (left.length > 0) process.stdout.write(`${left.length} files of tests are left to npm test: there is no time\n`);
  return results;
};

const long = (names) => {
  if (names[0] === "since") return longSince(names[1]);
  const unknown = names.find((name) => PARTS.every((part) => part.name !== name));
  if (unknown !== undefined) {
    process.stderr.write(`no part is called ${unknown}: ${PARTS.map(({ name }) => name).join(", ")}\n`);
    process.exit(2);
  }
  return runParts(PARTS.filter(({ name }) => names.length === 0 || names.includes(name)));
};

const longSince = (commit) => {
  const changed = commit === undefined ? null : changedFiles(commit);
  if (changed !== null) return runParts(partsFor({ changed, isWhole: false }), { changed });
  process.stderr.write("name a commit of this checkout: npm run test:long -- since COMMIT\n");
  process.exit(2);
};

const ci = async () => {
  const changed = changedFiles();
  const isWhole = existsSync(join(root, ".ci/long"));
  const results = await desk([]);
  // Nothing is repeated where the whole lane is asked for.
  const how = isWhole ? {} : { changed, repeats };
  return [...results, ...(await runParts(partsFor({ changed, isWhole }), how))];
};

const lanes = { desk, fast, long, ci };

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
    const failures = status === 0 ? [] : ["failed: lint"];
    return { passed: 0, failed: failures.length, skipped: 0, repeated: 0, failures };
  };
};

const [lane, ...args] = process.argv.slice(2);
const linted = process.env.TEST_LINT === "1" ? lintBeside() : null;
const runs = [...(await lanes[lane](args)), ...(linted === null ? [] : [await linted()])];
// At the end, where they are found without reading all of the output.
for (const failure of runs.flatMap(({ failures }) => failures)) process.stdout.write(`${failure}\n`);
const sum = (what) => runs.reduce((total, each) => total + each[what], 0);
if (sum("skipped") > 0) process.stdout.write(`${sum("skipped")} skipped: each says why above\n`);
if (repeats) process.stdout.write(`${sum("repeated")} repeated\n`);
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exit(sum("failed") === 0 ? 0 : 1);
