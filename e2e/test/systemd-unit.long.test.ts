import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { command, OPERATOR_TOKEN } from "./support/service-process.js";

// What the unit of systemd takes from the service, taken by the tools of Linux: no systemd has to run.
const root = fileURLToPath(new URL("../../", import.meta.url));
const NOBODY = 65_534;
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
const WITHOUT_RIGHTS = [...AS_NOBODY, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];

/** ProtectSystem, PrivateTmp and ProtectProc; `unshare` is PrivateIPC. What is written stays in two directories. */
const HARDENED = `set -e
mount --make-rprivate /
for writable in "$CURTAIL_DATA_DIR" "$TMPDIR"; do mount --bind "$writable" "$writable"; done
mount --bind "$ROOT" "$ROOT"
for read_only in / "$ROOT"; do mount -o remount,bind,ro "$read_only"; done
mount -t tmpfs tmpfs /tmp
mount -t proc -o hidepid=invisible proc /proc
cd "$ROOT"
if touch written 2>/dev/null; then echo "the checkout can be written"; exit 1; fi
umask 077
exec setpriv ${WITHOUT_RIGHTS.join(" ")} "$NODE" "$COMMAND" serve`;

const whyNot = (): string | null => {
  if (process.getuid?.() !== 0) return "needs root";
  if (spawnSync("unshare", ["-m", "-i", "true"]).status !== 0) return "needs the right to make namespaces";
  const look = `require("node:fs").accessSync(${JSON.stringify(command)})`;
  const seen = spawnSync("setpriv", [...AS_NOBODY, process.execPath, "-e", look]);
  return seen.status === 0 ? null : "another user cannot read the checkout";
};

/** Not below /tmp, which the service has for itself. */
const ownFolder = (): string => {
  const folder = mkdtempSync("/var/tmp/curtail-unit-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of [folder, join(folder, "data"), join(folder, "run")]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chownSync(path, NOBODY, NOBODY);
  }
  return folder;
};

test("the service and its database run with what the unit leaves them, and a backup from outside reaches them", async ({
  skip,
}) => {
  const why = whyNot();
  skip(why !== null, why ?? "");
  const folder = ownFolder();
  const env = {
    PATH: process.env["PATH"],
    CURTAIL_DATA_DIR: join(folder, "data"),
    CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
    CURTAIL_PORT: "0",
    CURTAIL_SANDBOX_PORT: "0",
    CURTAIL_OPENADR_PORT: "0",
    CURTAIL_OPENADR3_PORT: "0",
  };
  const child = spawn("unshare", ["-m", "-i", "sh", "-c", HARDENED], {
    env: { ...env, TMPDIR: join(folder, "run"), ROOT: root, NODE: process.execPath, COMMAND: command },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said, { timeout: 60_000 }).toContain("curtail ready");

  const file = join(folder, "data", "by-hand.backup");
  const backup = [...AS_NOBODY, process.execPath, command, "backup", file, "--no-keys"];
  const made = spawnSync("setpriv", backup, { env, encoding: "utf8" });
  expect(made.status, made.stderr).toBe(0);
  expect(statSync(file).size).toBeGreaterThan(10_000);

  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
}, 120_000);
