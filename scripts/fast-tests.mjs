// Chooses the tests of `npm run test:fast`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./built-once.mjs";
import { distanceFrom, isUnit } from "./concerned.mjs";

/** What the files may take together, each of them for itself: three workers have them done within 45 s. */
const MOST_SECONDS = 135;

/** Of runs of vitest, and of those beside others. */
const CACHES = ["vitest", "beside/vitest"].map((path) => join(root, "node_modules/.vite", path));

/** Seconds that files took the last time, by path; a fresh clone has none. */
export const lastSeconds = () => {
  const folders = CACHES.filter(existsSync).flatMap((cache) => readdirSync(cache).map((name) => join(cache, name)));
  const files = folders.map((folder) => join(folder, "results.json"));
  const rows = files.filter(existsSync).flatMap((file) => JSON.parse(readFileSync(file, "utf8")).results);
  return new Map(rows.map(([key, { duration }]) => [key.slice(key.indexOf(":") + 1), duration / 1000]));
};

/** What a file takes that was never measured. */
const usualSeconds = (file) => (isUnit(file) ? 0.4 : 4.5);

/**
 * The files that a change concerns, as many as there is time for: those without a database, then the nearest, of these
 * the shortest first. All without a database if nothing changed, or nobody knows.
 *
 * @returns `chosen` to run, `left` for `npm test`
 */
export const fastTests = ({ files, changed, seconds, mostSeconds = MOST_SECONDS }) => {
  const isUnknown = changed === null || changed.length === 0;
  const distanceOf = isUnknown ? (file) => (isUnit(file) ? 0 : null) : distanceFrom(changed);
  const secondsOf = (file) => seconds.get(file) ?? usualSeconds(file);
  const concerned = files
    .map((file) => ({ file, kind: isUnit(file) ? 0 : 1, distance: distanceOf(file), seconds: secondsOf(file) }))
    .filter(({ distance }) => distance !== null)
    .sort((a, b) => a.kind - b.kind || a.distance - b.distance || a.seconds - b.seconds);
  let sum = 0;
  const fits = concerned.map((each) => (sum += each.seconds) <= mostSeconds);
  return {
    chosen: concerned.filter((_, index) => fits[index]).map(({ file }) => file),
    left: concerned.filter((_, index) => !fits[index]).map(({ file }) => file),
  };
};
