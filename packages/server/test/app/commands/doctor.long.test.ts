import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { startSystemPostgres, systemPostgres } from "@curtail/testing/system-postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { openPool } from "../../../src/platform/database/database.js";
import { migrate } from "../../../src/platform/database/migrate.js";
import { doctorRun, resultsOf } from "../../support/doctor-run.js";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "curtail-doctor-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
});

/** Takes connections and never says anything. */
const silentPort = async (): Promise<number> => {
  const open = new Set<Socket>();
  const server = createServer((socket) => void open.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(() => resolve(undefined)));
  });
  return (server.address() as AddressInfo).port;
};

test("servers that never answer delay each other by nothing: the doctor ends within seconds, and each of them failed", async () => {
  const port = await silentPort();
  const startedMs = performance.now();
  const ran = await doctorRun({
    CURTAIL_DATA_DIR: dataDir,
    CURTAIL_PUBLIC_URL: `http://127.0.0.1:${port}`,
    CURTAIL_SANDBOX_PUBLIC_URL: `https://127.0.0.1:${port}`,
    DATABASE_URL: `postgresql://us:word@127.0.0.1:${port}/curtail`,
    CURTAIL_SMTP_URL: `smtp://us:word@127.0.0.1:${port}`,
    CURTAIL_OPENADR3_MQTT_URL: `mqtt://127.0.0.1:${port}`,
    CURTAIL_OPENADR3_MQTT_ACCESS: "broker",
  });
  expect(performance.now() - startedMs).toBeLessThan(7000);
  expect(ran.exitCode).toBe(1);
  expect(resultsOf(ran).filter((result) => result.endsWith("failed"))).toEqual([
    "database failed",
    "address failed",
    "address failed",
    "mail failed",
    "broker failed",
  ]);
});

const bin = systemPostgres();

const at = (url: string, settings: Readonly<Record<string, string>> = {}) =>
  doctorRun({ CURTAIL_DATA_DIR: dataDir, CURTAIL_PORT: "0", DATABASE_URL: url, ...settings });

describe.skipIf(bin === null)("a primary and its standby (needs postgresql-15 or newer installed)", () => {
  test("the primary is good with its standby, misses one that is wanted, and the standby itself cannot be used", async () => {
    const primary = await startSystemPostgres(bin ?? "");
    atEnd(() => primary.remove());
    const owner = openPool({ connectionString: primary.url }, () => {});
    atEnd(() => owner.end());
    await migrate(owner);
    const standby = await primary.addStandby("two");
    await owner.query("alter system set synchronous_standby_names = '*'");
    await owner.query("select pg_reload_conf()");
    const standbysOf = async (settings: Readonly<Record<string, string>> = {}) =>
      resultsOf(await at(primary.url, settings)).filter((result) => result.startsWith("standbys"));
    await expect.poll(() => standbysOf(), { timeout: 20_000, interval: 200 }).toEqual(["standbys ok"]);
    expect(await standbysOf({ CURTAIL_DATABASE_STANDBYS: "2" })).toEqual(["standbys warning"]);
    const ofStandby = await at(standby.url);
    expect(ofStandby.checks).toContainEqual(
      expect.objectContaining({
        name: "database",
        result: "failed",
        detail: expect.stringContaining("read-only standby"),
      }),
    );
  });
});
