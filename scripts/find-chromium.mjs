import { accessSync, constants } from "node:fs";
import { basename, delimiter, join } from "node:path";

const withoutWindows = ["chromium-headless-shell", "chrome-headless-shell"];
/** What people have on their machines. */
const withWindows = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const found = (names) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);

/**
 * The browser for tests and benchmarks: `CHROMIUM_PATH`, else the system's; undefined if there is none. The headless
 * shell first: without windows it takes half of the processor's time.
 */
export const findChromium = () => process.env.CHROMIUM_PATH ?? found(withoutWindows) ?? found(withWindows);

/** Whether it opens windows, which takes more than twice the processor's time. */
export const opensWindows = (browser) => !withoutWindows.includes(basename(browser));

/** The system's browser with windows; undefined if there is none. */
export const findDesktopBrowser = () => found(withWindows);

/** Arguments for a browser in a container that contacts nobody. */
export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
