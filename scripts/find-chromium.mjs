import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The headless shell first: without windows it takes half of the processor's time. */
const names = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser for tests and benchmarks: `CHROMIUM_PATH`, else the system's; undefined if there is none. */
export const findChromium = () => {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return (
    process.env.CHROMIUM_PATH ?? folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
  );
};

/** Arguments for a browser in a container that contacts nobody. */
export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
