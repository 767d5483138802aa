import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import {
  postgresUser,
  type SystemDatabase,
  startSystemPostgres,
  systemPostgres,
} from "@curtail/testing/system-postgres";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { openPool, sessionOptions } from "../../../src/platform/database/database.js";
import { refuseTransactionPooler } from "../../../src/platform/database/pooler.js";

const PGBOUNCER = "/usr/sbin/pgbouncer";
const bin = systemPostgres();
let database: SystemDatabase;

beforeAll(async () => {
  if (bin === null) return;
  database = await startSystemPostgres(bin);
  atEnd(() => database.remove());
});

/** A pgbouncer before the database of the tests; returns how to connect to it. */
const pooled = async (mode: "session" | "transaction") => {
  const { port, username, password, pathname } = new URL(database.url);
  const folder = await mkdtemp(join(tmpdir(), "curtail-pgbouncer-"));
  const listening = await freePort();
  const file = join(folder, "pgbouncer.ini");
  await writeFile(join(folder, "users.txt"), `"${username}" "${password}"\n`);
  await writeFile(
    file,
    `[databases]\n${pathname.slice(1)} = host=127.0.0.1 port=${port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${listening}
unix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${join(folder, "users.txt")}\npool_mode = ${mode}\n`,
  );
  const as = postgresUser();
  if (as !== null)
    for (const each of ["", "users.txt", "pgbouncer.ini"]) await chown(join(folder, each), as.uid, as.gid);
  const child: ChildProcess = spawn(PGBOUNCER, [file], { stdio: "ignore", ...as });
  atEnd(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
    await rm(folder, { recursive: true });
  });
  const connection = { connectionString: database.url.replace(`:${port}/`, `:${listening}/`) };
  await vi.waitFor(async () => {
    const pool = openPool(connection, () => {}, { max: 1 });
    try {
      await pool.query("select");
    } finally {
      await pool.end();
    }
  });
  return connection;
};

describe.skipIf(bin === null || !existsSync(PGBOUNCER))("behind pgbouncer (needs it and PostgreSQL installed)", () => {
  test("that hands out connections by session, all is as without", async () => {
    await refuseTransactionPooler(await pooled("session"));
  });

  test("that hands them out by transaction, the start is refused and says what to set", async () => {
    const connection = await pooled("transaction");
    await expect(refuseTransactionPooler(connection)).rejects.toThrow(
      /pool_mode = session, or set CURTAIL_DATABASE_LISTEN_URL/,
    );
    const pool = openPool(connection, () => {}, { max: 1, direct: { connectionString: database.url } });
    atEnd(() => pool.end());
    await refuseTransactionPooler(sessionOptions(pool));
  });
});
