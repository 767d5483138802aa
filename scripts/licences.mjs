// Finds packages in a release whose licence is not one of those that the project accepts.
import { fileURLToPath } from "node:url";
import { isOfOthers, nameAt, readLockfile, shippedPaths } from "./shipped-packages.mjs";

/** They ask for no more than to pass on their text. */
const ACCEPTED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
]);

/** Others, each with its package and the reason why it may be there. */
const NAMED = {
  // Its own files stay under it; we changed none, and they are installed as they are published.
  "web-push": "MPL-2.0",
  // Holidays from Wikipedia, with the attribution in the package; installed as it is published.
  "date-holidays": "(ISC AND CC-BY-3.0)",
};

/** Whether an SPDX expression without nesting can be accepted: one side of OR, every side of AND. */
const isAccepted = (licence) =>
  licence
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((each) => each.split(" AND ").every((part) => ACCEPTED.has(part)));

/** What is wrong, a line for each package. */
export const licenceFaults = (lock) =>
  [...shippedPaths(lock).keys()].filter(isOfOthers).flatMap((path) => {
    const { license, version } = lock.packages[path];
    const name = nameAt(path);
    if (license === undefined) return [`${name} ${version} names no licence`];
    return NAMED[name] === license || isAccepted(license) ? [] : [`${name} ${version} is under ${license}`];
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = licenceFaults(readLockfile());
  for (const fault of faults)
    process.stderr.write(`licences: ${fault}; use another package, or name it in scripts/licences.mjs with a reason\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
