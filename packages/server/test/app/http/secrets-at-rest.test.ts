import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operatorClient } from "@curtail/client";
import { auth, createWebhook, operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { pushService } from "@curtail/testing/push-service";
import { type Received, receiver } from "@curtail/testing/receiver";
import { generateSync } from "otplib";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { rotateAll } from "../../../src/app/rotate-secrets.js";
import { keysOf, openSecretBox } from "../../../src/app/secret-keys.js";
import { type SignatureHeaders, verifySignature } from "../../../src/notification/worker/signature.js";
import { cloneDatabase } from "../../support/database.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { register } from "../../support/noticing.js";
import { type Browser, newBrowser, PASSWORD, trySignIn } from "../../support/people.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let ann: Browser;
let totpSecret: string;
let webhookId: string;

const hook = await receiver();

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  webhookId = (await anna.call(createWebhook, { body: { url: hook.url, events } })).body.id;
  const sandbox = await service.sandboxCall(anna);
  await sandbox("POST", "/webhooks", { url: hook.url, events });
  ann = await newBrowser(service, "operator");
  totpSecret = (await ann.auth(auth.setUpTotp, { body: { password: PASSWORD } })).body.secret ?? "";
  await ann.auth(auth.setUpTotp, { body: { code: codeNow() } });
  await register(ann, (await pushService()).newBrowser());
  await ann.auth(auth.getNoticePreferences);
});

const codeNow = (): string =>
  generateSync({ secret: totpSecret, epoch: Math.floor(service.clock.now().getTime() / 1000) });

const columns = [
  "users.totp_secret",
  "webhooks.secret",
  "webhooks.previous_secret",
  "sandbox.webhooks.secret",
  "sandbox.webhooks.previous_secret",
  "push_keys.private_key",
  "push_subscriptions.target",
].map((name) => ({ table: name.slice(0, name.lastIndexOf(".")), column: name.slice(name.lastIndexOf(".") + 1) }));

/** Every secret as stored in the database. */
const stored = async (): Promise<string[]> => {
  const texts = [];
  for (const { table, column } of columns) {
    const { rows } = await service.database.pool.query(
      `select ${column} as text from ${table} where ${column} is not null`,
    );
    texts.push(...rows.map(({ text }) => text as string));
  }
  return texts;
};

const shownSecrets = async (): Promise<string[]> => {
  const { items } = (await service.operator(operator.listAccountWebhooks, { params: { id: anna.accountId } })).body;
  return items.flatMap((each) => each.secrets);
};

const isSignedWith = (received: Received | undefined, secret: string | undefined): boolean => {
  const headers = received?.headers as unknown as SignatureHeaders;
  return verifySignature(headers, received?.text ?? "", secret ?? "", service.clock.now());
};

/** Stores secrets as a service without encryption did. */
const storePlain = async (): Promise<void> => {
  const { pool } = service.database;
  await pool.query("update users set totp_secret = $1 where id = $2", [totpSecret, ann.id]);
  const plain = `whsec_${randomBytes(32).toString("base64")}`;
  for (const table of ["webhooks", "sandbox.webhooks"])
    await pool.query(
      `update ${table} set secret = $1, previous_secret = $1, previous_secret_until = now() + interval '1 day'`,
      [plain],
    );
};

/** Replaces a webhook's stored secret; returns a function that restores it. */
const withSecret = async (id: string, text: string): Promise<() => Promise<unknown>> => {
  const { pool } = service.database;
  const { rows } = await pool.query("select secret from webhooks where id = $1", [id]);
  const store = (secret: string) => pool.query("update webhooks set secret = $2 where id = $1", [id, secret]);
  await store(text);
  return () => store(rows[0].secret);
};

/** Settings of a process with these keys, or with the key file of that directory. */
const at = (dataDir: string, ...keys: Buffer[]) => ({ dataDir, secretsKeys: keys.length === 0 ? null : keys });
const open = (dataDir = service.dataDir, ...keys: Buffer[]) =>
  openSecretBox(service.database.pool, at(dataDir, ...keys));
const otherFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-secrets-"));
  atEnd(() => rm(folder, { recursive: true }));
  return folder;
};
const keyFile = (): Promise<string> => readFile(join(service.dataDir, "secrets.key"), "utf8");

describe("secrets of webhooks and authenticator apps", () => {
  test("are stored encrypted, production's and the sandbox's, and are used as before", async () => {
    await service.made(operator.rotateWebhookSecret, { params: { id: webhookId } });
    const secrets = [...(await shownSecrets()), totpSecret];
    const texts = await stored();
    expect(texts).toHaveLength(6);
    for (const text of texts) {
      expect(text).toMatch(/^enc1:/);
      for (const secret of secrets) expect(text).not.toContain(secret.replace("whsec_", ""));
    }
    const before = hook.received.length;
    await newDispatch(service, await newProgram(service, [anna]));
    await expect.poll(() => hook.received.length).toBe(before + 1);
    expect(isSignedWith(hook.received.at(-1), (await shownSecrets())[0])).toBe(true);
    service.clock.advance({ minutes: 1 });
    const answer = await trySignIn(service, { email: ann.email, password: PASSWORD, totp: codeNow() });
    expect(answer.body.state).toBe("signed_in");
  });

  test("have a key in the data directory that nobody else may read", async () => {
    const { mode } = await stat(join(service.dataDir, "secrets.key"));
    expect(mode & 0o777).toBe(0o600);
    expect(await keyFile()).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
  });

  test("that were stored plain are read, and encrypted at the next start", async () => {
    await storePlain();
    const secrets = await shownSecrets();
    service.clock.advance({ minutes: 1 });
    expect((await trySignIn(service, { email: ann.email, password: PASSWORD, totp: codeNow() })).status).toBe(200);
    await Promise.all([service.another(), service.another()]);
    const texts = await stored();
    expect(texts).toHaveLength(7);
    for (const text of texts) expect(text).toMatch(/^enc1:/);
    expect(await shownSecrets()).toEqual(secrets);
  });

  test("that a newer version encrypted are not taken for plain ones, and are left as they are", async () => {
    const putBack = await withSecret(webhookId, "enc2:00000000:AAAA");
    await service.another();
    expect(await stored()).toContain("enc2:00000000:AAAA");
    expect((await service.operator(operator.listAccountWebhooks, { params: { id: anna.accountId } })).status).toBe(500);
    await expect(rotateAll(service.database.pool, at(service.dataDir))).rejects.toThrow(/by a newer version/);
    await putBack();
  });

  test("of one row are of no use in another", async () => {
    const other = await service.newParticipant();
    const events = [{ name: "dispatch.create" as const }];
    const { id } = (await other.call(createWebhook, { body: { url: hook.url, events } })).body;
    const putBack = await withSecret(
      id,
      (await service.database.pool.query("select secret from webhooks where id = $1", [webhookId])).rows[0].secret,
    );
    expect((await service.operator(operator.listAccountWebhooks, { params: { id: other.accountId } })).status).toBe(
      500,
    );
    await putBack();
  });

  test("that cannot be read fail the deliveries of their webhook alone", async () => {
    const [other, quiet] = [await service.newParticipant(), await receiver()];
    const { id } = (
      await other.call(createWebhook, { body: { url: quiet.url, events: [{ name: "dispatch.create" }] } })
    ).body;
    const putBack = await withSecret(id, "enc1:00000000:AAAA");
    const before = hook.received.length;
    await newDispatch(service, await newProgram(service, [anna, other]));
    await expect.poll(() => hook.received.length).toBe(before + 1);
    const attempts = async () => {
      const { items } = (await service.operator(operator.listWebhookDeliveries, { params: { id } })).body;
      return items[0]?.attempts ?? [];
    };
    await expect
      .poll(attempts)
      .toMatchObject([{ status: null, error: "secret_unreadable", request: null, response: null }]);
    expect(quiet.received).toHaveLength(1);
    await putBack();
  });
});

describe("a start", () => {
  test("without the key of encrypted secrets is refused, and creates no new one", async () => {
    const folder = await otherFolder();
    await expect(open(folder)).rejects.toThrow(/encrypted with a key that is not available.*restore secrets\.key/);
    await expect(stat(join(folder, "secrets.key"))).rejects.toThrow(/ENOENT/);
  });

  test("with another key is refused", async () => {
    await expect(open(service.dataDir, randomBytes(32))).rejects.toThrow(/CURTAIL_SECRETS_KEY is not the key/);
  });

  test("over secrets of a newer version is refused, and says so", async () => {
    const database = await cloneDatabase();
    atEnd(() => database.drop());
    await database.pool.query("insert into settings (name, value) values ('secrets_key_check', 'enc2:00000000:AAAA')");
    await expect(openSecretBox(database.pool, at(service.dataDir))).rejects.toThrow(/stored by a newer version/);
  });

  test("with a file that holds no key is refused", async () => {
    const folder = await otherFolder();
    await writeFile(join(folder, "secrets.key"), "not a key\n");
    await expect(open(folder)).rejects.toThrow(/secrets\.key does not contain a key/);
  });

  test("of several at once with a new database and a shared directory creates one key", async () => {
    const database = await cloneDatabase();
    atEnd(() => database.drop());
    const folder = await otherFolder();
    const boxes = await Promise.all([1, 2, 3].map(() => openSecretBox(database.pool, at(folder))));
    expect(boxes[2]?.open(boxes[0]?.seal("secret", "here") ?? "", "here")).toBe("secret");
    await expect(openSecretBox(database.pool, at(await otherFolder()))).rejects.toThrow(/not available/);
  });

  test("whose key another process makes between its two looks takes that key", async () => {
    const database = await cloneDatabase();
    atEnd(() => database.drop());
    const settings = at(await otherFolder());
    let other: Promise<unknown> | undefined;
    const overtaken = {
      query: async (text: string, values: unknown[]) => {
        other ??= keysOf(database.pool, settings);
        await other;
        return database.pool.query(text, values);
      },
    } as unknown as pg.Pool;
    expect(await keysOf(overtaken, settings)).toEqual(await other);
  });
});

const rotate = (dataDir: string, ...keys: Buffer[]) => rotateAll(service.database.pool, at(dataDir, ...keys));

describe("rotating", () => {
  test("with the key file makes a new key, encrypts everything with it, and forgets the old one", async () => {
    const [secrets, texts, key] = [await shownSecrets(), await stored(), await keyFile()];
    expect(await rotate(service.dataDir)).toBe(texts.length);
    expect(await keyFile()).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    expect(await keyFile()).not.toBe(key);
    const after = await stored();
    for (const text of after) expect(texts).not.toContain(text);
    await expect(open(service.dataDir, Buffer.from(key, "base64"))).rejects.toThrow(/not the key/);
    const url = await service.another();
    const client = operatorClient({ url, token: OPERATOR_TOKEN });
    const { items } = await client.call(operator.listAccountWebhooks, { params: { id: anna.accountId } });
    expect(items.flatMap((each) => each.secrets)).toEqual(secrets);
  });

  test("with the setting writes with the first key and reads with the others", async () => {
    const [old, fresh] = [Buffer.from(await keyFile(), "base64"), randomBytes(32)];
    const box = await open(service.dataDir, fresh, old);
    expect(box.open((await stored())[0] ?? "", `totp ${ann.id}`)).toBe(totpSecret);
    expect(await rotate(service.dataDir, fresh, old)).toBe((await stored()).length);
    expect((await open(service.dataDir, fresh)).open((await stored())[0] ?? "", `totp ${ann.id}`)).toBe(totpSecret);
    await expect(open(service.dataDir, old)).rejects.toThrow(/not the key/);
    expect(await rotate(service.dataDir, old, fresh)).toBe((await stored()).length);
    expect(await rotate(service.dataDir, old, fresh)).toBe(0);
  });

  test("changes nothing if a secret cannot be read, and names it", async () => {
    const before = await stored();
    const putBack = await withSecret(webhookId, "enc1:00000000:AAAA");
    await expect(rotate(service.dataDir)).rejects.toThrow(
      `the webhook ${webhookId} is encrypted with a key that is not available`,
    );
    await putBack();
    expect(await stored()).toEqual(before);
    // The previous key is still in the file, beside the new one.
    const box = await open();
    for (const text of before.slice(0, 1)) expect(box.open(text, `totp ${ann.id}`)).toBe(totpSecret);
    expect(await rotate(service.dataDir)).toBe(before.length);
  });
});
