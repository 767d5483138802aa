import { type Browser, chromium } from "playwright-core";
import { test as base } from "vitest";
import { chromiumArguments, findChromium, opensWindows } from "../../../scripts/find-chromium.mjs";

const executablePath = findChromium();

if (executablePath === undefined)
  process.stderr.write("SKIPPED: no Chromium was found; install one, or set CHROMIUM_PATH, to test the web pages\n");

/** Tests that need a browser are skipped without one, with a message. */
export const hasChromium = executablePath !== undefined;

/** Pages of tests live for seconds: to optimize their scripts takes a tenth of the processor time, and saves less. */
const SHORT_LIVED = "--js-flags=--max-lazy --no-opt --no-maglev";

/** A browser with windows is as people have it. */
const argumentsFor = (browser: string): string[] =>
  opensWindows(browser) ? chromiumArguments : [...chromiumArguments, SHORT_LIVED];

/** Tests of pages. The test files of a worker share one browser; each test opens its own windows (`visit`). */
// oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures that one uses off the pattern.
export const test = base.extend("browser", { scope: "worker" }, async ({}, { onCleanup }): Promise<Browser> => {
  if (executablePath === undefined) throw new Error("there is no browser; the tests should have been skipped");
  const browser = await chromium.launch({ executablePath, args: argumentsFor(executablePath), headless: true });
  onCleanup(() => browser.close());
  return browser;
});
