// Paths of the checkout, and globs of `*`, `**` and `{a,b}` that name them.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, root } from "./built-once.mjs";

const WORDS = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "{": "(?:", "}": ")", ",": "|" };

const madeFrom = (glob) =>
  new RegExp(`^${glob.replace(/\*\*\/|\*\*|\*|[{},]|[.+^$()|[\]\\]/g, (sign) => WORDS[sign] ?? `\\${sign}`)}$`);

const patterns = new Map();

/** Each glob is asked of thousands of paths. */
const patternOf = (glob) => {
  if (!patterns.has(glob)) patterns.set(glob, madeFrom(glob));
  return patterns.get(glob);
};

/** Whether one of the globs names the path. */
export const matchesAny = (path, globs) => globs.some((glob) => patternOf(glob).test(path));

/** Paths of all test files, relative to the checkout, in order. */
export const testFiles = () => {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);
  const folders = [...packages, "demo", "e2e"].map((name) => join(root, name, "test")).filter(existsSync);
  return folders
    .flatMap(filesBelow)
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => path.slice(root.length + 1))
    .sort();
};

export const isLong = (path) => path.endsWith(".long.test.ts");
