import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser that tests and benchmarks look with: `CHROMIUM_PATH`, else the system's; undefined for none. */
export const findChromium = () => {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return (
    process.env.CHROMIUM_PATH ?? folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
  );
};

/** What a browser is started with, so that it runs in a container and speaks to nobody. */
export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
