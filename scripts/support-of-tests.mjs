// Which long test files share what in a folder `test/support` with others.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./built-once.mjs";
import { isLong, testFiles } from "./globs.mjs";

const SUPPORT = /(?:^|\/)test\/support\//;
const IMPORTED = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Imports name the compiled file. */
const withoutEnding = (path) => path.replace(/\.[a-z]+$/, "");

const textOf = (file) => readFileSync(join(root, file), "utf8");

const importsOf = (file, text = textOf(file)) =>
  [...text.matchAll(IMPORTED)].map(([, path]) => join(dirname(file), path));

/**
 * A condition on test files: the text of the file, or of what it imports of `test/support`, also by other files there, has a match.
 */
export const withSupport = (pattern) => {
  const known = new Map();
  const has = (file) => {
    if (known.has(file)) return known.get(file);
    known.set(file, false);
    const text = textOf(file);
    const support = () =>
      importsOf(file, text)
        .filter((path) => SUPPORT.test(path))
        .map((path) => `${withoutEnding(path)}.ts`);
    known.set(file, pattern.test(text) || support().some(has));
    return known.get(file);
  };
  return has;
};

/** The long test files that import directly one of the files that are of a kind. */
const longFilesWith = (kind) => (changed) => {
  const ofKind = new Set(changed.filter((path) => kind.test(path)).map(withoutEnding));
  if (ofKind.size === 0) return [];
  return testFiles().filter((file) => isLong(file) && importsOf(file).some((path) => ofKind.has(withoutEnding(path))));
};

/** Of paths of the checkout, those in a folder `test/support` are looked at. */
export const longFilesWithSupport = longFilesWith(SUPPORT);

/** Of paths of the checkout, those in a folder `src` are looked at. */
export const longFilesWithSource = longFilesWith(/(?:^|\/)src\//);
