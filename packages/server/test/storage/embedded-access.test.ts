import { chmod, chown, lchown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { openPool } from "../../src/storage/database.js";
import { writeAccess } from "../../src/storage/embedded/access.js";
import { prepareBinaries } from "../../src/storage/embedded/binaries.js";
import { runCommand } from "../../src/storage/embedded/command.js";
import type { Connection } from "../../src/storage/embedded/database.js";
import { chooseIdentity, type Identity } from "../../src/storage/embedded/identity.js";
import { migrate } from "../../src/storage/migrate.js";
import { SERVICE_ROLE } from "../../src/storage/service-role.js";
import {
  canBeRead,
  connectedAs,
  isRoot,
  nobody,
  postmasterPid,
  preparedDirectory,
  query,
  running,
  silent,
  temporaryDirectory,
} from "./embedded-fixtures/playground.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const { uid: NOBODY } = nobody;

const migrated = async (connection: Connection): Promise<void> => {
  const pool = openPool(connection, () => {});
  await migrate(pool, { serviceRole: SERVICE_ROLE });
  await pool.end();
};

test("the service's role is no superuser, owns nothing, and cannot become another", async () => {
  const { connection, serviceConnection } = await running(await preparedDirectory());
  await migrated(connection);
  const rows = await query(
    serviceConnection,
    `select current_user as name, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
       (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned,
       pg_has_role('curtail', 'member') as member
     from pg_roles where rolname = current_user`,
  );
  const no = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, rolreplication: false };
  expect(rows).toEqual([{ name: SERVICE_ROLE, ...no, owned: 0, member: false }]);
});

describe("the service's role", () => {
  const attempts = [
    "drop trigger audit_log_is_append_only on audit_log",
    "alter table audit_log disable trigger all",
    "set session_replication_role = replica",
    "update audit_log set action = 'nothing'",
    "delete from audit_log",
    "truncate audit_log",
    "drop table audit_log",
    "delete from sandbox.audit_log",
    "alter table sandbox.audit_log disable trigger all",
    "create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return new; end'",
    "create table mine (id int)",
    "delete from schema_migrations",
    "set role curtail",
    "alter role current_user superuser",
    "copy (select 1) to program 'id'",
    "select pg_read_file('/etc/passwd')",
  ];

  test("may not change the audit log, nor what protects it, nor reach beyond its tables", async () => {
    const { connection, serviceConnection } = await running(await preparedDirectory());
    await migrated(connection);
    for (const statement of attempts) {
      const outcome = await query(serviceConnection, statement).then(
        () => "done",
        (error: unknown) => (error instanceof pg.DatabaseError ? error.code : String(error)),
      );
      // 42501: insufficient_privilege.
      expect([statement, outcome]).toEqual([statement, "42501"]);
    }
  });
});

describe.runIf(isRoot && canBeRead)(
  "another user of the machine (needs root, to be one, in a checkout that all can read)",
  () => {
    test("cannot enter the socket's directory, and is not let in where they could", async () => {
      const { connection } = await running(await preparedDirectory());
      expect(await connectedAs(NOBODY, connection)).toContain("EACCES");
      await chmod(connection.host, 0o755);
      await chmod(join(connection.host, ".s.PGSQL.5432"), 0o777);
      for (const role of ["curtail", SERVICE_ROLE]) {
        expect(await connectedAs(NOBODY, { ...connection, user: role })).toContain(
          `Peer authentication failed for user "${role}"`,
        );
      }
    });

    test("is not let in either where it is the one that the server runs as", async () => {
      const dataDir = await temporaryDirectory();
      const { connection } = await running(dataDir);
      const { uid } = await stat(`/proc/${await postmasterPid(dataDir)}`);
      expect(await connectedAs(uid, connection)).toContain("Peer authentication failed");
    });
  },
);

/** A database as versions before this one made it: whoever reaches the socket is trusted, and one role does all. */
const trustingDatabase = async (dataDir: string, identity: Identity): Promise<string> => {
  const cluster = join(dataDir, "postgres");
  await mkdir(cluster, { mode: 0o700 });
  if (identity !== null) await chown(cluster, identity.uid, identity.gid);
  await chmod(dataDir, 0o755);
  const { initdb } = await prepareBinaries({ identity, log: silent });
  const args = [`--pgdata=${cluster}`, "--username=curtail", "--encoding=UTF8", "--auth=trust"];
  const builtin = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const made = await runCommand({ file: initdb, args: [...args, ...builtin], identity });
  expect(made).toMatchObject({ succeeded: true });
  return cluster;
};

test("a database of a version before is closed and gets the service's role, with everything in it", async () => {
  const dataDir = await temporaryDirectory();
  // Root's was nobody's.
  const cluster = await trustingDatabase(dataDir, isRoot ? nobody : null);
  expect(await readFile(join(cluster, "pg_hba.conf"), "utf8")).toMatch(/^local.*trust$/m);

  const first = await running(dataDir);
  await migrated(first.connection);
  await query(first.connection, "insert into settings values ('kept', 'yes')");

  expect(await readFile(join(cluster, "pg_hba.conf"), "utf8")).not.toContain("trust");
  expect(await query(first.serviceConnection, "select value from settings where name = 'kept'")).toEqual([
    { value: "yes" },
  ]);
  if (isRoot) {
    const owners = await Promise.all(
      (await readdir(cluster, { recursive: true })).map(async (name) => (await stat(join(cluster, name))).uid),
    );
    expect(new Set(owners)).toEqual(new Set([(await stat(`/proc/${await postmasterPid(dataDir)}`)).uid]));
    expect(owners).not.toContain(NOBODY);
  }
  await first.stop();
  const second = await running(dataDir);
  expect(await query(second.serviceConnection, "select count(*)::int as n from audit_log")).toEqual([{ n: 0 }]);
});

const passwd = async (...lines: string[]): Promise<string> => {
  const file = join(await temporaryDirectory(), "passwd");
  await writeFile(file, ["root:x:0:0::/root:/bin/sh", ...lines, ""].join("\n"));
  return file;
};
describe.runIf(isRoot)("root (needs root)", () => {
  test("follows no link that the server's user laid where it writes who is let in", async () => {
    const cluster = await temporaryDirectory();
    const elsewhere = join(await temporaryDirectory(), "file");
    await writeFile(elsewhere, "as it was");
    await symlink(elsewhere, join(cluster, "pg_hba.conf.new"));
    await writeAccess(cluster, "root", nobody);
    expect(await readFile(elsewhere, "utf8")).toBe("as it was");
    expect((await stat(elsewhere)).uid).toBe(0);
    expect(await readFile(join(cluster, "pg_hba.conf"), "utf8")).toMatch(/^local all all peer map=curtail$/m);
    expect((await stat(join(cluster, "pg_hba.conf"))).uid).toBe(nobody.uid);
  });

  const bare = ["daemon:x:1:1::/:/bin/false", "nobody:x:65534:65534::/:/bin/false"];

  test("runs the server as `postgres` where there is one", async () => {
    const file = await passwd(...bare, "postgres:x:101:104::/:/bin/sh");
    expect(await chooseIdentity("/nowhere/postgres", file)).toEqual({ uid: 101, gid: 104 });
  });

  test("takes a user of its own where there is none, the same one each time, and never one that has a name", async () => {
    const file = await passwd(...bare);
    const chosen = await chooseIdentity("/nowhere/postgres", file);
    expect(chosen?.uid).toBeGreaterThanOrEqual(60_706);
    expect(chosen?.uid).toBeLessThanOrEqual(61_183);
    expect(await chooseIdentity("/nowhere/postgres", file)).toEqual(chosen);
    const taken = await passwd(...bare, `somebody:x:${chosen?.uid}:100::/:/bin/sh`);
    expect((await chooseIdentity("/nowhere/postgres", taken))?.uid).not.toBe(chosen?.uid);
  });

  test("does not leave a database with `nobody`", async () => {
    const cluster = await temporaryDirectory();
    await lchown(cluster, nobody.uid, nobody.gid);
    expect((await chooseIdentity(cluster, await passwd(...bare)))?.uid).not.toBe(NOBODY);
  });

  test("makes and runs a database as a user without a name", async () => {
    const dataDir = await temporaryDirectory();
    const cluster = join(dataDir, "postgres");
    await mkdir(cluster);
    await chown(cluster, 60_900, 60_900);
    const { serviceConnection } = await running(dataDir);
    expect(await query(serviceConnection, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid).toBe(60_900);
    const owners = (await readdir(cluster, { recursive: true })).map(
      async (name) => (await stat(join(cluster, name))).uid,
    );
    expect(new Set(await Promise.all(owners))).toEqual(new Set([60_900]));
  });

  test("is told what to do where no user can be had to make a database", async () => {
    await expect(chooseIdentity("/nowhere/postgres", await passwd())).rejects.toThrow(/useradd --system postgres/);
  });
});
