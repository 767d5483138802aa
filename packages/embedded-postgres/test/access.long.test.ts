import { chmod, chown, lchown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { writeAccess } from "../src/access.js";
import { prepareBinaries } from "../src/binaries.js";
import { runCommand } from "../src/command.js";
import { SERVICE_ROLE } from "../src/database.js";
import { chooseIdentity, type Identity } from "../src/identity.js";
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
} from "./fixtures/playground.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const { uid: NOBODY } = nobody;

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

    test("is refused even if it is the one that the server runs as", async () => {
      const dataDir = await temporaryDirectory();
      const { connection } = await running(dataDir);
      const { uid } = await stat(`/proc/${await postmasterPid(dataDir)}`);
      expect(await connectedAs(uid, connection)).toContain("Peer authentication failed");
    });
  },
);

/** A database as earlier versions created it: everybody who reaches the socket is trusted, and there is one role. */
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
  // Root's database belonged to nobody.
  const cluster = await trustingDatabase(dataDir, isRoot ? nobody : null);
  expect(await readFile(join(cluster, "pg_hba.conf"), "utf8")).toMatch(/^local.*trust$/m);

  const first = await running(dataDir);
  await query(
    first.connection,
    `create table settings (name text, value text); grant select on settings to ${SERVICE_ROLE};
     insert into settings values ('kept', 'yes')`,
  );

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
  expect(await query(second.serviceConnection, "select count(*)::int as n from settings")).toEqual([{ n: 1 }]);
});

const passwd = async (...lines: string[]): Promise<string> => {
  const file = join(await temporaryDirectory(), "passwd");
  await writeFile(file, ["root:x:0:0::/root:/bin/sh", ...lines, ""].join("\n"));
  return file;
};
describe.runIf(isRoot)("root (needs root)", () => {
  test("follows no link that the server's user created in place of the access file", async () => {
    const cluster = await temporaryDirectory();
    const elsewhere = join(await temporaryDirectory(), "file");
    await writeFile(elsewhere, "as it was");
    await symlink(elsewhere, join(cluster, "pg_hba.conf.new"));
    await writeAccess(cluster, "root", { identity: nobody, major: 18 });
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

  test("uses an unused uid if there is none, the same each time, and never one with a name", async () => {
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

  test("gets advice if no user is available to create a database", async () => {
    await expect(chooseIdentity("/nowhere/postgres", await passwd())).rejects.toThrow(/useradd --system postgres/);
  });
});
