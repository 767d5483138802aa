import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@curtail/testing/free-port";
import { startSystemPostgres, systemPostgres } from "@curtail/testing/system-postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Built, buildInFolders } from "./support/container-steps.js";
import { OPERATOR_TOKEN } from "./support/service-process.js";

// No image is built: the steps of the Containerfile run in folders, and its command as its user, which cannot write them.
const isRoot = process.getuid?.() === 0;
const hasUser = /^[^:]+:[^:]*:1000:/m.test(readFileSync("/etc/passwd", "utf8"));
const INSTALL_MS = 600_000;
const bin = systemPostgres();

describe.skipIf(!isRoot)("what the Containerfile builds (needs root)", () => {
  let folder: string;
  let built: Built;

  beforeAll(() => {
    folder = mkdtempSync("/var/tmp/curtail-container-");
    chmodSync(folder, 0o755);
    built = buildInFolders(folder);
    // A root file system that is read only, for a user who owns nothing of it but the volume.
    execFileSync("chmod", ["-R", "a-w", built.workdir]);
  }, INSTALL_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const volume = () => join(built.root, "var/lib/curtail");

  const settings = async (given: Readonly<Record<string, string>>) => {
    const tmp = join(folder, "tmp");
    mkdirSync(tmp, { recursive: true });
    chmodSync(tmp, 0o1777);
    return {
      PATH: process.env["PATH"],
      ...built.environment,
      CURTAIL_DATA_DIR: volume(),
      CURTAIL_METRICS_PORT: String(await freePort()),
      CURTAIL_PUBLIC_URL: "http://127.0.0.1",
      CURTAIL_PORT: "0",
      CURTAIL_SANDBOX_PORT: "0",
      CURTAIL_OPENADR_PORT: "0",
      CURTAIL_OPENADR3_PORT: "0",
      CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN,
      TMPDIR: tmp,
      ...given,
    };
  };

  const started = async (env: Awaited<ReturnType<typeof settings>>): Promise<ChildProcess> => {
    const [, ...words] = built.command;
    const child = spawn(process.execPath, words, { cwd: built.workdir, env, ...built.user });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said, { timeout: 90_000 }).toContain("curtail ready");
    return child;
  };

  const checked = (env: NodeJS.ProcessEnv): number | null => {
    const [, ...words] = built.healthCheck;
    return spawnSync(process.execPath, words, { cwd: built.workdir, env, ...built.user }).status;
  };

  test("has neither sources nor tests nor tools of development", () => {
    expect(readdirSync(built.workdir).toSorted()).toEqual(["LICENSE", "node_modules", "package.json", "packages"]);
    expect(existsSync(join(built.workdir, "packages/server/dist/bundle"))).toBe(true);
    for (const gone of [
      "packages/server/src",
      "packages/server/test",
      "packages/testing",
      "node_modules/vitest",
      "node_modules/typescript",
    ])
      expect(existsSync(join(built.workdir, gone)), gone).toBe(false);
  });

  test.skipIf(bin === null)(
    "serves over an outside PostgreSQL (needs postgresql-15 or newer installed), is healthy while it does, and drains",
    async () => {
      const database = await startSystemPostgres(bin ?? "");
      onTestFinished(() => database.remove());
      const env = await settings({ DATABASE_URL: database.url });
      expect(checked(env)).toBe(1);
      const service = await started(env);
      expect(checked(env)).toBe(0);
      const write = spawnSync("touch", [join(built.workdir, "written")], { env, ...built.user });
      expect(write.status).not.toBe(0);
      expect(readdirSync(volume()).toSorted()).toEqual(["openadr", "secrets.key"]);
      service.kill("SIGTERM");
      expect(await once(service, "exit")).toEqual([0, null]);
      expect(checked(env)).toBe(1);
    },
    120_000,
  );

  test.skipIf(!hasUser)(
    "runs the included database in its volume, too, if its user has a name",
    async () => {
      const env = await settings({});
      const service = await started(env);
      expect(checked(env)).toBe(0);
      expect(readdirSync(volume())).toContain("postgres");
      service.kill("SIGTERM");
      expect(await once(service, "exit")).toEqual([0, null]);
    },
    180_000,
  );

  test.skipIf(bin === null)(
    "a worker alone is healthy by the same check",
    async () => {
      const database = await startSystemPostgres(bin ?? "");
      onTestFinished(() => database.remove());
      const own = join(folder, "worker");
      mkdirSync(own);
      chownSync(own, built.user.uid, built.user.gid);
      const env = await settings({ DATABASE_URL: database.url, CURTAIL_ROLES: "worker", CURTAIL_DATA_DIR: own });
      const worker = await started(env);
      expect(checked(env)).toBe(0);
      worker.kill("SIGTERM");
      expect(await once(worker, "exit")).toEqual([0, null]);
    },
    120_000,
  );
});
