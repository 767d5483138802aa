// `npm run outdated`: the dependencies of all packages that have a newer version.
import { spawnSync } from "node:child_process";

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return { error: { summary: "npm did not answer" } };
  }
};

// Exits with 1 if anything is outdated.
const { stdout } = spawnSync("npm", ["outdated", "--json", "--workspaces", "--include-workspace-root"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const { error, ...found } = parsed(stdout);
if (error !== undefined) {
  process.stderr.write(`outdated: ${error.summary}\n`);
  process.exit(1);
}

// Without a current version: a binary for another platform.
const rows = Object.entries(found)
  .map(([name, uses]) => ({ name, uses: [uses].flat() }))
  .filter(({ uses: [{ current, latest }] }) => current !== undefined && current !== latest)
  .map(({ name, uses }) => [name, uses[0].current, uses[0].latest, uses.map((use) => use.dependent).join(", ")]);

const table = [["package", "current", "latest", "used by"], ...rows];
const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
const lineOf = (row) =>
  row
    .map((cell, column) => cell.padEnd(widths[column]))
    .join("  ")
    .trimEnd();
process.stdout.write(rows.length === 0 ? "All dependencies are current.\n" : `${table.map(lineOf).join("\n")}\n`);
