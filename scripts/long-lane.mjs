// Runs parts of the long lane.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./built-once.mjs";
import { distanceFrom } from "./concerned.mjs";
import { findChromium, findDesktopBrowser } from "./find-chromium.mjs";
import { isLong, matchesAny, testFiles } from "./globs.mjs";
import { NEWEST_LTS, newestLts } from "./newest-lts.mjs";
import { runVitest } from "./run-vitest.mjs";

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

const skipped = (why) => {
  process.stdout.write(`${why}\n`);
  return [];
};

const again = {
  properties: async (changed) => {
    const distanceOf = changed === null ? () => 0 : distanceFrom(changed);
    const files = testFiles().filter((file) => isRandom(file) && distanceOf(file) !== null);
    if (files.length === 0) return skipped("no random test concerns what changed");
    return [await runVitest({ args: files, env: { TEST_PROPERTY_RUNS: RUNS } })];
  },
  desktopBrowser: async () => {
    const browser = findDesktopBrowser();
    if (browser === undefined || browser === findChromium())
      return skipped("no second browser, with windows: no page is tested in it");
    const files = testFiles().filter((file) => matchesAny(file, ON_THE_DESKTOP));
    return [await runVitest({ args: files, env: { CHROMIUM_PATH: browser } })];
  },
  newestNode: async () => {
    const node = newestLts();
    if (node === null) return skipped(`Node ${NEWEST_LTS} cannot be had: nothing is tested on it`);
    return [
      await runVitest({ node, args: ["--project=unit"] }),
      await runVitest({ node, args: ["--project=process", "e2e/test/process.test.ts"] }),
    ];
  },
};

/** The files of parts, in one run. */
const runFiles = async (parts, { env = {}, repeats = false } = {}) => {
  const globs = parts.flatMap(({ tests }) => tests);
  const files = testFiles().filter((file) => isLong(file) && matchesAny(file, globs));
  return files.length === 0 ? [] : [await runVitest({ args: files, env, repeats })];
};

const isApart = ({ env, again: how }) => env !== undefined || how !== undefined;

/**
 * Runs parts of the table in long-parts.mjs.
 *
 * @param changed paths that random tests must concern; null: all of them
 * @param repeats whether a file that fails runs once more
 * @returns the result of each run of vitest
 */
export const runParts = async (parts, { changed = null, repeats = false } = {}) => {
  process.stdout.write(`long lane: ${parts.map(({ name }) => name).join(", ") || "no part"}\n`);
  const results = await runFiles(
    parts.filter((part) => !isApart(part)),
    { repeats },
  );
  for (const part of parts.filter(isApart)) {
    process.stdout.write(`${part.name}:\n`);
    const run = part.again === undefined ? runFiles([part], { env: part.env, repeats }) : again[part.again](changed);
    results.push(...(await run));
  }
  return results;
};
