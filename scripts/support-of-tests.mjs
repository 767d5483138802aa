// Which long test files share what in a folder `test/support` with others.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./built-once.mjs";
import { isLong, testFiles } from "./globs.mjs";

const SUPPORT = /(?:^|\/)test\/support\//;
const IMPORTED = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Imports name the compiled file. */
const withoutEnding = (path) => path.replace(/\.[a-z]+$/, "");

const importsOf = (file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(IMPORTED)].map(([, path]) => join(dirname(file), path));

/**
 * The long test files that import one of the files directly.
 *
 * @param changed paths of the checkout; only those in a folder `test/support` are looked at
 */
export const longFilesWith = (changed) => {
  const support = new Set(changed.filter((path) => SUPPORT.test(path)).map(withoutEnding));
  if (support.size === 0) return [];
  return testFiles().filter((file) => isLong(file) && importsOf(file).some((path) => support.has(withoutEnding(path))));
};
