import { type Browser, chromium } from "playwright-core";
import { atEnd } from "../../../packages/server/test/support/at-end.js";
import { chromiumArguments, findChromium } from "../../../scripts/find-chromium.mjs";

const executablePath = findChromium();

if (executablePath === undefined)
  process.stderr.write("SKIPPED: no Chromium was found; install one, or set CHROMIUM_PATH, to test the web pages\n");

/** Tests that need a browser are skipped without one, which is said aloud. */
export const hasChromium = executablePath !== undefined;

/** A browser that ends with the test file. */
export const startBrowser = async (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error("there is no browser; the tests should have been skipped");
  const browser = await chromium.launch({ executablePath, args: chromiumArguments, headless: true });
  atEnd(() => browser.close());
  return browser;
};
