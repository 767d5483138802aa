import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { atEnd } from "../../../packages/server/test/support/at-end.js";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const onPath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)));

/** The browser that tests look with: `CHROMIUM_PATH`, else the system's. */
const executablePath = process.env["CHROMIUM_PATH"] ?? onPath.find(isExecutable);

if (executablePath === undefined)
  process.stderr.write("SKIPPED: no Chromium was found; install one, or set CHROMIUM_PATH, to test the web pages\n");

/** Tests that need a browser; without one they are skipped, which is said aloud. */
export const hasChromium = executablePath !== undefined;

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser that ends with the test file. */
export const startBrowser = async (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error("there is no browser; the tests should have been skipped");
  const browser = await chromium.launch({ executablePath, args, headless: true });
  atEnd(() => browser.close());
  return browser;
};
