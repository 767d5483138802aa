// Holds every statement to its budget of buffers over a store with the whole past (6 GB of disk, made once, some minutes).
//
//   --table         prints what each touches, over a tenth of that store and over all of it, as in docs/performance.md
//   --when-changed  only if SQL changed since the branch left main, as CI does
//   --plan NAME     prints how a statement touched its buffers, as PostgreSQL explains it; --tenth: over a tenth
//
// What counts as changed: a migration, a file of a `storage` or `database` folder, the makers of the store, or the budget. It is compared
// with where HEAD left main or, on main itself, with the commit before. Without that history (a shallow clone, the first commit) nobody
// knows, and it does not run: the tenth of the store that `npm test` has holds the same bounds.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const git = (...args) => {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
};

const SQL =
  /^packages\/server\/(?:migrations\/|src\/(?:.+\/storage|platform\/database)\/|test\/support\/buffers\/|test\/app\/buffers)/;

/** null: nobody knows. */
const hasChanged = () => {
  const left = git("merge-base", "HEAD", "origin/main") ?? git("merge-base", "HEAD", "main");
  const base = left === null || left === git("rev-parse", "HEAD") ? git("rev-parse", "--verify", "HEAD~1") : left;
  const files = base === null ? null : git("diff", "--name-only", base);
  return files === null ? null : files.split("\n").some((file) => SQL.test(file));
};

/** Statistics differ from run to run: what failed is run once more, as CI does with every file. */
const MOST_RUNS = process.env.CI === undefined ? 1 : 2;

/** Exits with the status of the tests if they fail. */
const hold = (size, env = {}, runs = MOST_RUNS) => {
  const args = [
    "run",
    "--project",
    "slow",
    "packages/server/test/app/buffers.slow.test.ts",
    "--disable-console-intercept",
  ];
  const { status } = spawnSync(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, ...args], {
    cwd: root,
    stdio: ["inherit", 2, 2],
    env: { ...process.env, TEST_BUFFERS: size, ...env },
  });
  if (status === 0) return;
  if (runs === 1) process.exit(status ?? 1);
  hold(size, env, runs - 1);
};

/** Those below are many, and one line. */
const LEAST_SHOWN = 100;

const printTable = () => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-buffers-"));
  const measured = (size) => {
    const file = join(folder, size);
    hold(size, { TEST_BUFFERS_FILE: file });
    return new Map(Object.entries(JSON.parse(readFileSync(file, "utf8"))));
  };
  const [tenth, whole] = [measured("tenth"), measured("whole")];
  rmSync(folder, { recursive: true });
  const rows = [...whole].toSorted(([, a], [, b]) => b.buffers - a.buffers);
  const shown = rows.filter(([, { buffers }]) => buffers >= LEAST_SHOWN);
  const cells = shown.map(([name, { bound, buffers }]) => [
    `\`${name}\``,
    bound,
    tenth.get(name)?.buffers ?? "",
    buffers,
  ]);
  const lines = [["statement", "bound", "tenth", "whole"], ["---", "--:", "--:", "--:"], ...cells];
  process.stdout.write(lines.map((line) => `| ${line.join(" | ")} |\n`).join(""));
  process.stdout.write(`\n${rows.length - shown.length} more statements touch less than ${LEAST_SHOWN}.\n`);
};

const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const isAsked = (name) => process.argv.includes(name);

if (isAsked("--table")) printTable();
else if (isAsked("--plan")) hold(isAsked("--tenth") ? "tenth" : "whole", { TEST_BUFFERS_PLAN: argument("--plan") });
else if (!isAsked("--when-changed") || hasChanged() === true) hold("whole");
else
  process.stdout.write(
    "no SQL changed, as far as git knows: the budget of buffers is held by the tenth of the store only\n",
  );
