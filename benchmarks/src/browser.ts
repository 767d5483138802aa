import { type Browser, chromium } from "playwright-core";
import { chromiumArguments, findChromium } from "../../scripts/find-chromium.mjs";

/** Runs `run` with a browser, and closes it afterwards. */
export const withBrowser = async (run: (browser: Browser) => Promise<void>): Promise<void> => {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("no Chromium was found; install one, or set CHROMIUM_PATH");
  const browser = await chromium.launch({ executablePath, args: chromiumArguments, headless: true });
  try {
    await run(browser);
  } finally {
    await browser.close();
  }
};
