import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmbedded } from "../src/start-embedded.js";
import { postmasterPid, query, running, silent, temporaryDirectory } from "./fixtures/playground.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Where Debian and Ubuntu install PostgreSQL. */
const INSTALLED = "/usr/lib/postgresql";
const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).filter((version) => Number(version) >= 15) : [];
const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
const programs = join(INSTALLED, newest ?? "none", "bin");

const started = async (dataDir: string) => {
  const embedded = await startEmbedded({ dataDir, programs, log: silent });
  onTestFinished(() => embedded.stop());
  return embedded;
};

test.skipIf(newest === undefined)(
  `the PostgreSQL of the machine keeps what was committed over kills and starts; without one in ${INSTALLED}: skipped`,
  async () => {
    const dataDir = await temporaryDirectory();
    const first = await started(dataDir);
    const [row] = await query(
      first.connection,
      `select current_setting('server_version_num')::int / 10000 as major, upper('straße ä') as upper, 'Z' < 'a' as by_code_points`,
    );
    expect(row).toMatchObject({ major: Number(newest), by_code_points: true });
    expect(row?.["upper"]).toMatch(/ Ä$/);
    await query(first.connection, "create table reading as select 4.2 as kw");
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await vi.waitFor(
      async () => expect(await query(first.connection, "select kw from reading")).toHaveLength(1),
      30_000,
    );
    await first.stop();
    const second = await started(dataDir);
    expect(await query(second.connection, "select kw::float8 from reading")).toEqual([{ kw: 4.2 }]);
    await second.stop();
    if (Number(newest) < 18)
      await expect(running(dataDir)).rejects.toThrow("Set CURTAIL_POSTGRES_PROGRAMS to the programs of that version");
  },
);
