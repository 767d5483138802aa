// Builds again only what changed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

const stateOf = (sources) => {
  const hash = createHash("sha256");
  for (const file of sources) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest("hex");
};

/**
 * Builds a folder, unless its sources are those of the last time. What only building needs should be imported by
 * `build`: a restart needs neither the time nor the memory of it.
 *
 * @param sources files of the checkout
 */
export const builtOnce = async (folder, sources, build) => {
  const stamp = join(folder, ".built");
  const state = stateOf(sources);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === state) return;
  await build();
  writeFileSync(stamp, state);
};
