// What a release ships of others: packages that the service needs to run, and those that are bundled into pages,
// documentation and downloads.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Packages of the workspace whose dependencies are installed where the service runs. */
const INSTALLED = ["packages/server"];

/**
 * Bundled into files for browsers and participants when these are built, so that they are dependencies of development. A
 * test compares them with what is in the files.
 */
const BUNDLED = {
  "packages/web": [
    "@base-ui/react",
    "@tanstack/react-query",
    "@tanstack/react-router",
    "eventsource-parser",
    "maplibre-gl",
    "preact",
    "qrcode-generator",
    "tailwindcss",
    "temporal-polyfill",
    "topojson-client",
    "uplot",
    "us-atlas",
    "world-atlas",
  ],
  "packages/docs": ["minisearch"],
  // The command has it by accident: `debug` takes it where it is installed.
  "packages/cli": ["supports-color"],
};

export const readLockfile = () =>
  JSON.parse(readFileSync(fileURLToPath(new URL("../package-lock.json", import.meta.url)), "utf8"));

/** Name of the package at a path of the lockfile. */
export const nameAt = (path) => path.split("node_modules/").at(-1);

/** Where Node finds a package from a path: in the nearest `node_modules` upwards; undefined if it is not installed. */
const found = (packages, from, name) => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const path = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[path] !== undefined) return packages[path].link === true ? packages[path].resolved : path;
    if (at === "") return undefined;
  }
};

const dependenciesOf = ({ dependencies, optionalDependencies }) =>
  Object.keys({ ...dependencies, ...optionalDependencies });

/** Whatever is reached from paths of the lockfile, with the paths that each needs. `extra` adds names to those of a path. */
export const shippedFrom = ({ packages }, paths, extra = {}) => {
  const shipped = new Map();
  const add = (path) => {
    if (shipped.has(path)) return;
    const names = [...dependenciesOf(packages[path]), ...(extra[path] ?? [])];
    const needed = [...new Set(names)].flatMap((name) => found(packages, path, name) ?? []);
    shipped.set(path, needed);
    for (const each of needed) add(each);
  };
  for (const path of paths) add(path);
  return shipped;
};

/** Paths in the lockfile of all that is shipped, with those that each needs; packages of the workspace, too. */
export const shippedPaths = (lock) => shippedFrom(lock, [...INSTALLED, ...Object.keys(BUNDLED)], BUNDLED);

/** Whether a path is of a package of others. */
export const isOfOthers = (path) => path.includes("node_modules/");
