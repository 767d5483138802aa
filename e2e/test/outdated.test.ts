import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atEnd } from "@curtail/testing/at-end";
import { expect, test } from "vitest";
import { temporaryFolder } from "./support/service-process.js";

const script = fileURLToPath(new URL("../../scripts/outdated.mjs", import.meta.url));

/** The script, with an npm that answers this. */
const outdated = async (answer: string) => {
  const { path, remove } = await temporaryFolder();
  atEnd(remove);
  const npm = `#!${process.execPath}\nprocess.stdout.write(${JSON.stringify(answer)});\nprocess.exitCode = 1;\n`;
  await writeFile(join(path, "npm"), npm, { mode: 0o755 });
  return spawnSync(process.execPath, [script], { encoding: "utf8", env: { PATH: path } });
};

test("outdated dependencies are listed with the packages that use them, and no error is reported", async () => {
  const answer = {
    "@other/darwin": { wanted: "1.0.0", latest: "1.0.0", dependent: "server" },
    "fast-check": [
      { current: "4.10.2", wanted: "4.10.2", latest: "5.0.0", dependent: "server" },
      { current: "4.10.2", wanted: "4.10.2", latest: "5.0.0", dependent: "cli" },
    ],
    pg: { current: "8.23.1", wanted: "8.23.1", latest: "8.24.0", dependent: "server" },
  };
  const { status, stdout } = await outdated(JSON.stringify(answer));
  expect(stdout.split("\n")).toEqual([
    "package     current  latest  used by",
    "fast-check  4.10.2   5.0.0   server, cli",
    "pg          8.23.1   8.24.0  server",
    "",
  ]);
  expect(status).toBe(0);
});

test("nothing outdated is said in a sentence", async () => {
  expect(await outdated("{}")).toMatchObject({ status: 0, stdout: "All dependencies are current.\n" });
});

test("a registry that cannot be reached is an error", async () => {
  const answer = JSON.stringify({ error: { code: "ECONNREFUSED", summary: "request failed" } });
  expect(await outdated(answer)).toMatchObject({ status: 1, stderr: "outdated: request failed\n" });
  expect(await outdated("")).toMatchObject({ status: 1, stderr: "outdated: npm did not answer\n" });
});
