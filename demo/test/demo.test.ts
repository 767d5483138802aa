import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOptions } from "../src/options.js";

const command = fileURLToPath(new URL("../dist/demo.js", import.meta.url));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "curtail-demo-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("a folder with other content is left unchanged", async () => {
  const file = join(folder, "letter.txt");
  await writeFile(file, "dear reader");
  const { status, stderr } = run("--fresh", "--data-dir", folder);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/contains files that do not belong to the demo/)]);
  expect(await readFile(file, "utf8")).toBe("dear reader");
});

test("settings of the service are refused, since the demo makes its own", () => {
  const env = { DATABASE_URL: "postgres:///other", CURTAIL_PORT: "9000" };
  const { status, stderr, stdout } = spawnSync(process.execPath, [command, "--data-dir", join(folder, "refused")], {
    encoding: "utf8",
    env,
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toBe(
    "demo: the demo configures its service itself: unset CURTAIL_PORT DATABASE_URL, and see --help for its own options\n",
  );
  expect(existsSync(join(folder, "refused"))).toBe(false);
});

const run = (...args: string[]) => spawnSync(process.execPath, [command, ...args], { encoding: "utf8" });

test("a command that is wrong is refused with the usage", () => {
  expect(run("--sites", "41")).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/--sites is "41".*1 to 40\n[^]*--fresh/),
  });
});

const refused = (name: string) => ({ isFault: true, say: expect.stringContaining(name) });

test("options out of range are refused by name", () => {
  expect(readOptions(["--sites", "0"])).toEqual(refused("--sites"));
  expect(readOptions(["--history-days", "61"])).toEqual(refused("--history-days"));
  expect(readOptions(["--wrong"])).toEqual(refused("--wrong"));
  expect(readOptions(["--sites", "40", "--history-days", "60"])).toMatchObject({ sites: 40, historyDays: 60 });
  expect(readOptions(["--help"])).toEqual({ isFault: false, say: expect.stringContaining("--react-quickly") });
});
