import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const unit = readFileSync(join(root, "examples/systemd/curtail.service"), "utf8");
const MOST_EXPOSED = 3;

const valuesOf = (name: string): readonly string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

/** How exposed systemd rates a unit, from 0 to 10; null where it cannot be asked. */
const exposureOf = (text: string): number | null => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "curtail.service");
  writeFileSync(file, text);
  const { error, stdout } = spawnSync("systemd-analyze", ["security", "--offline=yes", "--no-pager", file], {
    encoding: "utf8",
  });
  const rated = /exposure level for curtail\.service: ([\d.]+)/.exec(stdout ?? "")?.[1];
  return error !== undefined || rated === undefined ? null : Number(rated);
};

test("systemd rates the unit as little exposed, and the same service without hardening as exposed", ({ skip }) => {
  const exposure = exposureOf(unit);
  skip(exposure === null, "systemd-analyze is not installed, or older than version 250");
  expect(exposure).toBeLessThan(MOST_EXPOSED);
  expect(exposureOf(unit.replaceAll(/^(?:Protect|Restrict|SystemCall|Capability|Private).*$/gm, ""))).toBeGreaterThan(
    MOST_EXPOSED,
  );
});

test("the unit starts the command of the service in a checkout, and leaves it the directories that it needs", () => {
  const [program, script = "", ...args] = (valuesOf("ExecStart")[0] ?? "").split(" ");
  expect([program, ...args]).toEqual(["/usr/bin/node", "serve"]);
  expect(existsSync(join(root, script))).toBe(true);
  const environment = Object.fromEntries(
    valuesOf("Environment").flatMap((set) => set.split(" ").map((one) => one.split("="))),
  );
  expect(environment).toMatchObject({
    CURTAIL_DATA_DIR: `/var/lib/${valuesOf("StateDirectory")[0]}`,
    TMPDIR: `/run/${valuesOf("RuntimeDirectory")[0]}`,
  });
});

test("the unit does not start a service again whose settings are invalid", () => {
  expect(valuesOf("RestartPreventExitStatus")).toEqual(["78"]);
});
