import { blocksOf } from "./docs/blocks.js";

/** A file that a page of the documentation shows (`file=NAME`), as it is written there. */
export const fileIn = (page: string, name: string): string => {
  const block = blocksOf(page).find(({ notes }) => notes["file"] === name);
  if (block === undefined) throw new Error(`${page} has no file ${name}`);
  return block.text;
};

/** Replaces each text; all of them must be there. */
export const replaced = (text: string, by: ReadonlyArray<readonly [string, string]>): string =>
  by.reduce((left, [from, to]) => {
    if (!left.includes(from)) throw new Error(`the documentation no longer has ${from}`);
    return left.replaceAll(from, to);
  }, text);
