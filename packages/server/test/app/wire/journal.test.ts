import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { wireJournal } from "../../../src/app/wire/journal.js";
import { openPool } from "../../../src/platform/database/database.js";
import { journal } from "../../../src/platform/database/journal.js";
import { readConfig } from "../../../src/platform/runtime/config.js";
import { buildLogger } from "../../../src/platform/runtime/logger.js";
import { cloneDatabase, type TestDatabase } from "../../support/database.js";
import { wokenOnly } from "../../support/woken-only.js";

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  atEnd(() => database.drop());
});

/** What the tail of a process with this setting sees. */
const seenWith = async (listenUrl: string) => {
  const read = readConfig({
    CURTAIL_OPERATOR_TOKEN: "token-of-this-test-alone",
    CURTAIL_DATABASE_LISTEN_URL: listenUrl,
  });
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  const pool = openPool(database.connection, () => {}, {
    max: 2,
    direct: listenUrl === "none" ? null : { connectionString: listenUrl },
  });
  const config = { ...read.config, roles: [] };
  const wired = wireJournal({ config, pool, logger: buildLogger("silent"), clock: wokenOnly }, { take: () => {} });
  const heard = vi.spyOn(wired.tail, "hear");
  const seen: string[] = [];
  wired.tail.feed({ take: (entries) => void seen.push(...entries.map(({ subject }) => subject)), reset: () => {} });
  wired.start();
  atEnd(async () => {
    await wired.stop();
    await pool.end();
  });
  await wired.tail.catchUp();
  return { seen, heard };
};

const directAddress = (name: string): string => {
  const { host, port, user, database: db } = database.connection;
  return `postgresql://${user}@localhost:${port}/${db}?host=${encodeURIComponent(host)}&application_name=${name}`;
};

const connections = async (name: string): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where application_name = $1",
    [name],
  );
  return rows[0]?.count ?? 0;
};

const append = async (subject: string): Promise<void> => {
  await journal(database.pool).append([{ at: new Date(), kind: "alarm.raise", subject }]);
  await database.pool.query("select pg_notify('curtail_journal', 'another process')");
};

describe("commits of other processes", () => {
  test("are heard at the address that is set, where the journal is read", async () => {
    const { seen, heard } = await seenWith(directAddress("direct"));
    await expect.poll(() => connections("direct")).toBe(1);
    await append("heard");
    await expect.poll(() => seen).toEqual(["heard"]);
    expect(heard).toHaveBeenLastCalledWith("another process");
  });

  test("are found four times a second where nothing can be heard, and nothing is heard", async () => {
    const { seen, heard } = await seenWith("none");
    const startedMs = performance.now();
    await append("found");
    await expect.poll(() => seen).toEqual(["found"]);
    expect(performance.now() - startedMs).toBeLessThan(5000);
    expect(heard).not.toHaveBeenCalled();
  });
});
