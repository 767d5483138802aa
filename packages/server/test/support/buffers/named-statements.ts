import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL("../../../src", import.meta.url));

/** The names of all prepared statements in the sources. */
export const namedStatements = async (): Promise<readonly string[]> => {
  const files = await readdir(sources, { recursive: true });
  const stores = files.filter((file) => file.endsWith(".ts") && /\/(?:storage|database)\//.test(file));
  const texts = await Promise.all(stores.map((file) => readFile(join(sources, file), "utf8")));
  return texts.flatMap((text) => namesIn(text)).toSorted();
};

/** A name may be chosen of two: `name: isFew ? "one" : "other"`. Statements for one shard have it first. */
const namesIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/\b(?:oneShard|loggedRead|newestOf|insertedRows(?:<[^;]*?>)?)\(\s*"([^"]+)"/g)].map(
    ([, name = ""]) => name,
  ),
  ...[...text.matchAll(/\bname: ([^,\n]*"[^,\n]*),\s+(?:\/\/[^\n]*\s+)*text\b/g)].flatMap(([, given = ""]) =>
    [...given.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name),
  ),
];
