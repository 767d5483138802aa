// Holds every statement to its budget of buffers over a store with the whole past (6 GB of disk, made once, some minutes).
//
//   --table         prints what each touches, over a tenth of that store and over all of it, as in docs/performance.md
//   --plan NAME     prints how a statement touched its buffers, as PostgreSQL explains it; --tenth: over a tenth
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Exits with the status of the tests if they fail. */
const hold = (size, env = {}) => {
  const args = [
    "run",
    "--project",
    "service-long",
    "packages/server/test/app/buffers.long.test.ts",
    "--disable-console-intercept",
  ];
  const { status } = spawnSync(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, ...args], {
    cwd: root,
    stdio: ["inherit", 2, 2],
    env: { ...process.env, TEST_BUFFERS: size, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
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
else hold("whole");
