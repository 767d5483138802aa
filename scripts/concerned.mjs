// Which tests of `npm test` a change concerns.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./built-once.mjs";
import { isLong } from "./globs.mjs";
import { ORDER } from "./modules.mjs";

const PACKAGE = /^packages\/([^/]+)\//;
const MODULE = /^packages\/server\/(?:src|test)\/([^/]+)\//;
const RULES = /^packages\/server\/test\/(?:[^/]+\/domain\/|platform\/(?:runtime\/|[^/]+$))/;

const packageOf = (path) => PACKAGE.exec(path)?.[1];

/** Place of a server file's module in the order. What no module has, as migrations, is the platform's. */
const placeOf = (path) => Math.max(ORDER.indexOf(MODULE.exec(path)?.[1]), 0);

/** Whether a test file needs no database: all packages but two, and the rules of the server. */
export const isUnit = (file) => {
  const name = packageOf(file);
  return name === "server" ? RULES.test(file) : name !== undefined && name !== "embedded-postgres";
};

const neededBy = (name) => {
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
};

/** These packages, and those that need one of them. */
const withDependents = (names) => {
  const all = readdirSync(join(root, "packages"));
  return new Set(all.filter((each) => names.has(each) || neededBy(each).some((need) => names.has(need.split("/")[1]))));
};

/**
 * How far a test file is from a change: 0 if it changed itself, is of a package that changed or needs one that did, or
 * is of a module of the server that changed; otherwise the number of modules that it is above one. A change in the
 * platform concerns its own tests and all without a database.
 *
 * @param changed paths of the checkout
 * @returns a function of a test file's path; null: it is not concerned, or a long one
 */
export const distanceFrom = (changed) => {
  const ofServer = changed.filter((path) => packageOf(path) === "server");
  const places = new Set(ofServer.map(placeOf));
  const others = changed.map(packageOf).filter((name) => name !== undefined && name !== "server");
  const packages = withDependents(new Set(others));
  const inServer = (file) => {
    const own = placeOf(file);
    const below = [...places].filter((place) => place <= own && (place > 0 || own === 0 || isUnit(file)));
    return below.length === 0 ? null : own - Math.max(...below);
  };
  return (file) => {
    if (isLong(file)) return null;
    if (changed.includes(file)) return 0;
    if (packageOf(file) === "server") return inServer(file);
    return isUnit(file) && (packages.has(packageOf(file)) || places.has(0)) ? 0 : null;
  };
};
