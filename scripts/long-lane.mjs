// Runs parts of the long lane.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./built-once.mjs";
import { distanceFrom } from "./concerned.mjs";
import { findChromium, findDesktopBrowser } from "./find-chromium.mjs";
import { isLong, matchesAny, testFiles } from "./globs.mjs";
import { NEWEST_LTS, newestLts } from "./newest-lts.mjs";
import { runBeside } from "./run-vitest.mjs";
import { withSupport } from "./support-of-tests.mjs";

/** Random tests, few of whose runs fit into `npm test`: 1,000 of each. */
const RUNS = "1000";
const IS_RANDOM = /from "fast-check"|propertyRuns/;
const isRandom = (file) => IS_RANDOM.test(readFileSync(join(root, file), "utf8"));

/**
 * Tests whose result may depend on the browser: what counts as a fault, policies, missing pages, charts, long tables,
 * keys, printing, first loads.
 */
const ON_THE_DESKTOP = [
  "e2e/test/browser/faults.test.ts",
  "e2e/test/browser/{policies,bare,docs,charts,operations-large,finding,after-the-day,first-load}.long.test.ts",
];

/** Tests that may send readings and ask for what comes of them; those that do. */
const OF_READINGS = ["packages/server/test/{telemetry,performance,oversight,portfolio,settlement}/**"];
const sendsReadings = withSupport(/\buploadTelemetry\b|"\/telemetry\b|\bTelemetryWriter\b|\breadingStore\b/);

const skipped = (why) => {
  process.stdout.write(`${why}\n`);
  return [];
};

/** Runs of files of the other lane in another way, by the name that a part gives to it. */
const again = {
  properties: (changed) => {
    const distanceOf = changed === null ? () => 0 : distanceFrom(changed);
    const args = testFiles().filter((file) => isRandom(file) && distanceOf(file) !== null);
    if (args.length === 0) return skipped("no random test concerns what changed");
    return [{ args, env: { TEST_PROPERTY_RUNS: RUNS } }];
  },
  withLog: () => {
    const args = testFiles().filter((file) => !isLong(file) && matchesAny(file, OF_READINGS) && sendsReadings(file));
    return [{ args: ["--project=service", ...args], env: { TEST_FOLD_AFTER: "3600" } }];
  },
  desktopBrowser: () => {
    const browser = findDesktopBrowser();
    if (browser === undefined || browser === findChromium())
      return skipped("no second browser, with windows: no page is tested in it");
    const args = testFiles().filter((file) => matchesAny(file, ON_THE_DESKTOP));
    return [{ args, env: { CHROMIUM_PATH: browser } }];
  },
  newestNode: () => {
    const node = newestLts();
    if (node === null) return skipped(`Node ${NEWEST_LTS} cannot be had: nothing is tested on it`);
    return [
      { node, args: ["--project=unit"] },
      { node, args: ["--project=process", "e2e/test/process.test.ts"] },
    ];
  },
};

/** Kinds of tests that have the processor busy, and those that wait for starts and pages: each takes what the other leaves. */
const SERVICES = ["unit-long", "service-long", "isolated-long"];
const OTHERS = ["process-long", "browser-long"];

const isOfOthers = (file) => /^(demo|e2e)\//.test(file);
const isApart = ({ env, again: how }) => env !== undefined || how !== undefined;
const isBrowsers = ({ again: how }) => how === "desktopBrowser";

/** A run of the files of parts that are of these projects and are not run otherwise, if there are any. */
const filesOf = (parts, projects, { env = {}, otherwise = [] } = {}) => {
  const globs = parts.flatMap(({ tests }) => tests);
  const isChosen = (file) => isLong(file) && matchesAny(file, globs) && isOfOthers(file) === (projects === OTHERS);
  const isElsewhere = (file) => otherwise.some(({ args }) => args.includes(file));
  const files = testFiles().filter((file) => isChosen(file) && !isElsewhere(file));
  return files.length === 0 ? [] : [{ args: [...projects.map((name) => `--project=${name}`), ...files], env }];
};

/**
 * Runs parts of the table in long-parts.mjs.
 *
 * @param changed paths that random tests must concern; null: all of them
 * @param repeats whether a file that fails runs once more
 * @returns the result of each run of vitest
 */
export const runParts = async (parts, { changed = null, repeats = false } = {}) => {
  process.stdout.write(`long lane: ${parts.map(({ name }) => name).join(", ") || "no part"}\n`);
  const together = parts.filter((part) => !isApart(part));
  const inBrowsers = parts.filter(isBrowsers).flatMap(({ again: how }) => again[how](changed));
  const apart = parts
    .filter((part) => isApart(part) && !isBrowsers(part))
    .flatMap((part) => (part.again === undefined ? filesOf([part], SERVICES, part) : again[part.again](changed)));
  // A random file runs once, with all its runs; one for the browser with windows in that one.
  const otherwise = [...apart, ...inBrowsers];
  const row = [...filesOf(together, SERVICES, { otherwise }), ...apart];
  return runBeside(row, [...filesOf(together, OTHERS, { otherwise }), ...inBrowsers], { repeats });
};
