import { basename, dirname } from "node:path";
import { systemPostgres } from "@curtail/testing/system-postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmbedded } from "../src/start-embedded.js";
import { postmasterPid, query, running, silent, temporaryDirectory } from "./fixtures/playground.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const programs = systemPostgres();
const major = Number(basename(dirname(programs ?? "")));

const started = async (dataDir: string) => {
  const embedded = await startEmbedded({ dataDir, programs, log: silent });
  onTestFinished(() => embedded.stop());
  return embedded;
};

test.skipIf(programs === null)(
  "the PostgreSQL of the machine keeps what was committed over kills and starts (needs postgresql-15 or newer installed)",
  async () => {
    const dataDir = await temporaryDirectory();
    const first = await started(dataDir);
    const [row] = await query(
      first.connection,
      `select current_setting('server_version_num')::int / 10000 as major, upper('straße ä') as upper, 'Z' < 'a' as by_code_points`,
    );
    expect(row).toMatchObject({ major, by_code_points: true });
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
    if (major < 18)
      await expect(running(dataDir)).rejects.toThrow("Set CURTAIL_POSTGRES_PROGRAMS to the programs of that version");
  },
);
