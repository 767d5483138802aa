import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { mailbox } from "@curtail/testing/mailbox";
import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { strangers } from "@curtail/testing/watch-replies";
import { beforeAll, describe, expect, test } from "vitest";
import { reachDatabase } from "../../../src/app/commands/doctor/reading.js";
import { backupNameAt } from "../../../src/backup/domain/kept-backups.js";
import { saveBackupState } from "../../../src/backup/storage/backup-state-store.js";
import { newBackupKey } from "../../../src/platform/backup-keys.js";
import { readConfig } from "../../../src/platform/runtime/config.js";
import { newKey, writtenKey } from "../../../src/platform/runtime/secret-cipher.js";
import { emptyDatabase } from "../../support/database.js";
import { databaseUrl, doctorRun, resultsOf, settingsOf } from "../../support/doctor-run.js";
import { mosquittoWithUsers, SERVICE } from "../../support/mqtt-broker.js";
import { type Running, running } from "../../support/running.js";
import { selfSigned } from "../../support/self-signed.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const run = (settings: Readonly<Record<string, string>> = {}, options = {}) =>
  doctorRun({ ...settingsOf(service), ...settings }, options);

/** The checks of a name, without asking the address: that takes a second. */
const found = async (name: string, settings: Readonly<Record<string, string>> = {}) => {
  const { CURTAIL_PUBLIC_URL: _asked, ...unasked } = settingsOf(service);
  const { checks } = await doctorRun({ ...unasked, CURTAIL_PORT: "0", ...settings });
  return checks.filter((check) => check.name === name);
};

const temporary = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-doctor-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A proxy before the service, which sends the answer on as a whole or as it comes. */
const proxyBefore = async (target: string, holdsBack: boolean): Promise<string> => {
  const server = createServer(({ url, headers }, response) => {
    const forwarded = { ...headers, "x-forwarded-for": "192.0.2.7" };
    const onward = request(`${target}${url}`, { headers: forwarded }, (answer) => {
      if (!holdsBack) {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        return void answer.pipe(response);
      }
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () =>
        response.writeHead(answer.statusCode ?? 0, { "content-type": "text/event-stream" }).end(Buffer.concat(parts)),
      );
    });
    onward.end();
  });
  strangers.add(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  atEnd(() => new Promise((resolve) => server.close(() => resolve(undefined))));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe("the doctor of a service", () => {
  test("finds nothing failed at a service that runs, and leaves with 0", async () => {
    const ran = await run();
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.checks.filter(({ result }) => result === "failed")).toEqual([]);
    expect(resultsOf(ran)).toEqual(
      expect.arrayContaining([
        "settings ok",
        "disk ok",
        "schema ok",
        "secrets ok",
        "address ok",
        "streams ok",
        "keys ok",
      ]),
    );
  });

  test("prints a line for each check with what to do, and leaves with 1 if one failed", async () => {
    const ran = await run({ CURTAIL_PUBLIC_URL: `http://127.0.0.1:${await freePort()}` }, { isJson: false });
    expect(ran).toMatchObject({ exitCode: 1, stderr: "curtail: a check failed\n" });
    expect(ran.stdout).toMatch(/^ok {5}  settings     valid$/m);
    expect(ran.stdout).toMatch(/^failed   address      .*ECONNREFUSED\n {23}nothing listens there: check the address/m);
    expect(ran.stdout).toMatch(/^warning  mail         .*\n {23}set CURTAIL_SMTP_URL$/m);
  });

  test("lists all faults of the settings, and looks at nothing else", async () => {
    const ran = await doctorRun({ CURTAIL_PORT: "eighty", CURTAIL_PROT: "80" });
    expect(ran.exitCode).toBe(1);
    expect(ran.checks.map(({ name, detail }) => [name, detail.split(" ")[0]])).toEqual([
      ["settings", "CURTAIL_PORT"],
      ["settings", "CURTAIL_PROT"],
    ]);
  });

  test("warns of settings that the service itself warns of", async () => {
    const [check] = await found("settings", { CURTAIL_PUBLIC_URL: "https://127.0.0.1:1" });
    expect(check).toMatchObject({ result: "warning", detail: expect.stringContaining("CURTAIL_TRUSTED_PROXIES") });
  });

  test("makes no file, and asks the database only in transactions that can write nothing", async () => {
    const folder = join(await temporary(), "data");
    await doctorRun({ CURTAIL_DATA_DIR: folder });
    await expect(stat(folder)).rejects.toThrow("ENOENT");
    const files = await readdir(service.dataDir, { recursive: true });
    await run();
    expect(await readdir(service.dataDir, { recursive: true })).toEqual(files);
    const read = readConfig(settingsOf(service));
    if ("faults" in read) throw new Error(read.faults.join());
    const reached = await reachDatabase(read.config);
    atEnd(() => reached.close());
    await expect(reached.read?.((client) => client.query("delete from settings"))).rejects.toThrow(
      "read-only transaction",
    );
  });
});

describe("the database", () => {
  test("that does not answer fails, and what needs it is left out", async () => {
    const ran = await run({
      CURTAIL_PORT: "0",
      DATABASE_URL: `postgresql://us:hidden-word@127.0.0.1:${await freePort()}/curtail`,
    });
    expect(ran.exitCode).toBe(1);
    expect(ran.checks).toContainEqual(expect.objectContaining({ name: "database", result: "failed" }));
    expect(resultsOf(ran).join()).not.toMatch(/schema|connections|secrets|keys/);
    expect(ran.stdout).not.toContain("hidden-word");
  });

  test("that is included and does not run is not started", async () => {
    const folder = await temporary();
    await mkdir(join(folder, "postgres"));
    await writeFile(join(folder, "postgres/PG_VERSION"), "18\n");
    const { checks } = await doctorRun({ CURTAIL_DATA_DIR: folder, CURTAIL_PORT: "0" });
    expect(checks.find(({ name }) => name === "database")).toMatchObject({
      result: "failed",
      detail: `the included one in ${folder} does not run`,
    });
    expect(await readdir(join(folder, "postgres"))).toEqual(["PG_VERSION"]);
  });

  test("without a schema is a warning", async () => {
    const database = await emptyDatabase();
    atEnd(() => database.drop());
    const [check] = await found("schema", { DATABASE_URL: databaseUrl({ database }) });
    expect(check).toMatchObject({ result: "warning", detail: "there is none yet" });
  });

  test("whose schema another version made differently fails", async () => {
    const { pool } = service.database;
    await pool.query("update schema_migrations set checksum = checksum || 'x' where version = 3");
    const [check] = await found("schema");
    await pool.query("update schema_migrations set checksum = left(checksum, 64) where version = 3");
    expect(check).toMatchObject({ result: "failed", detail: expect.stringContaining("Migration 3 ") });
  });

  test("that may lose what was answered fails", async () => {
    const { pool, connection } = service.database;
    await pool.query(`alter database ${connection.database} set synchronous_commit = off`);
    const [check] = await found("database");
    await pool.query(`alter database ${connection.database} reset synchronous_commit`);
    expect(check).toMatchObject({ result: "failed", detail: expect.stringContaining("synchronous_commit is off") });
  });

  test("that allows fewer connections than a process opens fails", async () => {
    const [check] = await found("connections", { CURTAIL_DATABASE_CONNECTIONS: "1000" });
    expect(check).toMatchObject({ result: "failed", advice: expect.stringContaining("max_connections") });
  });

  test("counts processes by their connections to the journal", async () => {
    const [check] = await found("connections");
    expect(check?.detail).toContain("that a process may open");
    const { pool } = service.database;
    const { rows } = await pool.query(
      "select from pg_stat_activity where application_name = 'curtail journal' and datname = current_database()",
    );
    expect(rows).toHaveLength(1);
  });

  test("whose standbys are fewer than wanted is a warning", async () => {
    const [check] = await found("standbys", { CURTAIL_DATABASE_STANDBYS: "1" });
    expect(check).toMatchObject({ result: "warning", detail: expect.stringContaining("0 of 1 synchronous standbys") });
  });

  test("whose secrets are of another key fails", async () => {
    const [check] = await found("secrets", { CURTAIL_SECRETS_KEY: writtenKey(newKey()).trim() });
    expect(check).toMatchObject({ result: "failed", detail: expect.stringContaining("is not the key") });
  });
});

const detailAt = async (url: string) => (await found("address", { CURTAIL_PUBLIC_URL: url }))[0]?.detail;

const wayAt = async (url: string) =>
  (await run({ CURTAIL_PUBLIC_URL: url })).checks.flatMap(({ name, result }) =>
    ["address", "streams", "proxy"].includes(name) ? [`${name} ${result}`] : [],
  );

describe("the address", () => {
  test("of another service, of another listener and of a stranger fails", async () => {
    const other = await running();
    expect(await detailAt(other.url)).toBe(`${other.url} leads to another Curtail`);
    expect(await detailAt(service.sandboxUrl)).toBe(`${service.sandboxUrl} leads to the listener of sandbox`);
    const stranger = createServer((_, response) => response.end("hello"));
    strangers.add(stranger);
    await new Promise<void>((resolve) => void stranger.listen(0, "127.0.0.1", resolve));
    atEnd(() => new Promise((resolve) => stranger.close(() => resolve(undefined))));
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    expect(await detailAt(url)).toBe(`${url} is not this service: it answered with 200`);
  });

  test("of a proxy that holds streams back is found, and of one that is not trusted", async () => {
    const [holding, passing] = await Promise.all([proxyBefore(service.url, true), proxyBefore(service.url, false)]);
    expect(await wayAt(holding)).toEqual(["address ok", "streams warning", "proxy warning"]);
    expect(await wayAt(passing)).toEqual(["address ok", "streams ok", "proxy warning"]);
    const trusting = await running({ CURTAIL_TRUSTED_PROXIES: "127.0.0.0/8" });
    const trusted = await doctorRun({
      ...settingsOf(trusting),
      CURTAIL_PUBLIC_URL: await proxyBefore(trusting.url, false),
    });
    expect(resultsOf(trusted)).not.toContain("proxy warning");
    expect(resultsOf(trusted)).toContain("address ok");
  });
});

describe("mail", () => {
  const GUARD = { user: "service", password: "password-of-mails" };

  test("is looked at without sending any", async () => {
    const box = await mailbox();
    const [check] = await found("mail", { CURTAIL_SMTP_URL: box.url });
    expect(check).toMatchObject({ result: "ok", detail: expect.stringContaining("in clear, on this machine") });
    expect(box.connections).toBeGreaterThan(0);
    expect(box.received).toEqual([]);
    await box.close();
    const [gone] = await found("mail", { CURTAIL_SMTP_URL: box.url });
    expect(gone).toMatchObject({ result: "failed", detail: expect.stringContaining("ECONNREFUSED") });
  });

  test("is encrypted and signed in to, or its refusal is shown without the password", async () => {
    const box = await mailbox({ ...(await selfSigned("localhost")), ...GUARD });
    const port = new URL(box.url).port;
    const at = (password: string, options = "?tls.rejectUnauthorized=false") =>
      found("mail", { CURTAIL_SMTP_URL: `smtp://service:${password}@localhost:${port}${options}` });
    const [taken] = await at(GUARD.password);
    expect(taken).toMatchObject({ result: "ok", detail: `localhost:${port} takes us, with our user, encrypted` });
    const [refused] = await at("another-word");
    expect(refused).toMatchObject({ result: "failed", detail: expect.stringContaining("no user service with …") });
    const [untrusted] = await at(GUARD.password, "");
    expect(untrusted).toMatchObject({ result: "failed", detail: expect.stringContaining("certificate") });
  });
});

describe.skipIf(withoutMosquitto !== null)("the broker (needs mosquitto)", () => {
  test("takes us, or its refusal is shown", async () => {
    const broker = await mosquittoWithUsers();
    const [taken] = await found("broker", broker.settings);
    expect(taken).toMatchObject({ result: "ok" });
    const [refused] = await found("broker", {
      ...broker.settings,
      CURTAIL_OPENADR3_MQTT_PASSWORD: "wrong-password-here",
    });
    expect(refused).toMatchObject({ result: "failed" });
    expect(JSON.stringify(refused)).not.toContain(SERVICE.password);
    await broker.stop();
    const [gone] = await found("broker", broker.settings);
    expect(gone).toMatchObject({ result: "failed" });
  });
});

test("the clock is as systemd or chrony say, whichever is there", async () => {
  const folder = await temporary();
  const { PATH } = process.env;
  atEnd(async () => {
    process.env["PATH"] = PATH;
  });
  const says = async (program: string, words: string): Promise<void> => {
    await writeFile(join(folder, program), `#!/bin/sh\nprintf '%s\\n' '${words}'\n`, { mode: 0o755 });
  };
  process.env["PATH"] = `${folder}:${PATH}`;
  await says("timedatectl", "no");
  expect(await found("clock")).toMatchObject([
    { result: "warning", detail: expect.stringContaining(", not synchronised") },
  ]);
  await says("timedatectl", "yes");
  expect(await found("clock")).toMatchObject([
    { result: "ok", detail: expect.stringMatching(/database, synchronised$/) },
  ]);
  await says("timedatectl", "");
  await says("chronyc", "A29FC87B,162.159.200.123,4,1.5,0.0,0.0,0.0,-1.3,0.0,0.0,0.0,0.0,64.1,Normal");
  expect(await found("clock")).toMatchObject([
    { result: "ok", detail: expect.stringMatching(/database, synchronised$/) },
  ]);
});

test("certificates in the data directory are read, and one that is no certificate fails", async () => {
  await service.listenToVens();
  const good = await found("certificates");
  expect(good.map(({ result }) => result)).toEqual(["ok", "ok", "ok"]);
  const file = join(await temporary(), "broken.pem");
  await writeFile(file, "no certificate");
  const settings = { CURTAIL_OPENADR3_TLS_CERT: file, CURTAIL_OPENADR3_TLS_KEY: file };
  expect(await found("certificates", settings)).toContainEqual(
    expect.objectContaining({ result: "failed", detail: expect.stringContaining(file) }),
  );
});

test("certificates of VENs that end soon are named", async () => {
  const { accountId } = await service.newParticipant();
  const ven = await service.made(operator.createVen, { params: { id: accountId }, body: { ven_id: "ending" } });
  await service.database.pool.query(
    `insert into ven_certificates (fingerprint, ven, pem, not_before, expires_at, created_at)
     values (repeat('a', 64), $1, '', now(), now() + interval '5 days', now())`,
    [ven.id],
  );
  const checks = await found("certificates");
  await service.database.pool.query("delete from ven_certificates where ven = $1", [ven.id]);
  expect(checks).toContainEqual(
    expect.objectContaining({ result: "warning", detail: expect.stringContaining("VEN ending") }),
  );
});

test("backups: their age, their directory and their last failure", async () => {
  const { pool } = service.database;
  const directory = await temporary();
  const settings = { CURTAIL_BACKUP_DIRECTORY: directory, CURTAIL_BACKUP_RECIPIENTS: newBackupKey().recipient };
  expect((await found("backups", settings)).map(({ result }) => result)).toEqual(["warning", "ok"]);
  const madeAt = new Date();
  await writeFile(join(directory, backupNameAt(madeAt)), "a backup");
  await saveBackupState(pool, { madeAt, triedAt: madeAt, failure: null, directory });
  expect((await found("backups", settings)).map(({ result }) => result)).toEqual(["ok", "ok"]);
  await saveBackupState(pool, { madeAt, triedAt: madeAt, failure: "ENOSPC", directory });
  expect((await found("backups", settings))[0]).toMatchObject({
    result: "failed",
    detail: expect.stringContaining("ENOSPC"),
  });
  expect(await found("backups", { CURTAIL_BACKUP_DIRECTORY: "off" })).toMatchObject([{ result: "ok" }]);
  await pool.query("delete from settings where name = 'daily_backup'");
});

test("keys that nobody has used for 90 days are named", async () => {
  const { keyId } = await service.newParticipant({ name: "Sleepers" });
  await service.database.pool.query(
    "update api_keys set claimed_at = now() - interval '100 days', last_used_at = now() - interval '91 days' where id = $1",
    [keyId],
  );
  expect(await found("keys")).toMatchObject([
    { result: "warning", detail: expect.stringContaining(`${keyId} of Sleepers`) },
  ]);
  await service.database.pool.query("update api_keys set revoked_at = now() where id = $1", [keyId]);
  expect(await found("keys")).toMatchObject([{ result: "ok" }]);
});

test("a secrets key that other users may read fails", async () => {
  const file = join(service.dataDir, "secrets.key");
  await chmod(file, 0o644);
  expect(await found("files")).toMatchObject([{ result: "failed", detail: expect.stringContaining(`${file} (644)`) }]);
  await chmod(file, 0o600);
  expect(await found("files")).toMatchObject([{ result: "ok" }]);
});
