// Finds lockfile entries that could let in a package other than the one reviewed: entries without a hash, and entries
// that name the registry they came from.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Binaries for other platforms, for which the registry that made the lockfile had no metadata. There npm installs them
 * without checking their content.
 */
const withoutHash = [
  "@biomejs/cli-",
  "@oxc-parser/binding-",
  "@oxlint-tsgolint/",
  "@oxlint/binding-",
  "@tailwindcss/oxide-",
];

const isForgiven = (name, { optional, os, cpu }) =>
  optional === true &&
  (os !== undefined || cpu !== undefined) &&
  withoutHash.some((start) => name.startsWith(start)) &&
  !(os?.includes("linux") && cpu?.includes("x64") && !name.includes("musl"));

export const lockfileFaults = ({ packages }) =>
  Object.entries(packages).flatMap(([path, entry]) => {
    const name = path.split("node_modules/").at(-1);
    if (!path.includes("node_modules/") || entry.link === true) return [];
    return [
      ...(entry.integrity === undefined && !isForgiven(name, entry) ? [`${name} has no hash`] : []),
      ...(entry.resolved === undefined ? [] : [`${name} names where it came from: ${entry.resolved}`]),
    ];
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL("../package-lock.json", import.meta.url));
  const faults = lockfileFaults(JSON.parse(readFileSync(file, "utf8")));
  for (const fault of faults) process.stderr.write(`package-lock.json: ${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
