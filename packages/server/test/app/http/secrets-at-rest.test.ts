import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { operatorClient } from "@curtail/client";
import { createWebhook, operator } from "@curtail/contract";
import type { Received } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { rotateAll } from "../../../src/app/commands/rotate-secrets.js";
import { type SignatureHeaders, verifySignature } from "../../../src/notification/worker/signature.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { PASSWORD, trySignIn } from "../../support/people.js";
import { OPERATOR_TOKEN } from "../../support/running.js";
import {
  ann,
  anna,
  at,
  codeNow,
  hook,
  open,
  otherFolder,
  prepare,
  service,
  stored,
  totpSecret,
  webhookId,
  withSecret,
} from "../../support/stored-secrets.js";

beforeAll(prepare);

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
const keyFile = (): Promise<string> => readFile(join(service.dataDir, "secrets.key"), "utf8");

describe("secrets of webhooks and authenticator apps", () => {
  test("are stored encrypted, production's and the sandbox's, and are used as before", async () => {
    await service.made(operator.rotateWebhookSecret, { params: { id: webhookId } });
    const secrets = [...(await shownSecrets()), totpSecret];
    const texts = await stored();
    expect(texts).toHaveLength(7);
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
    expect(texts).toHaveLength(8);
    for (const text of texts) expect(text).toMatch(/^enc1:/);
    expect(await shownSecrets()).toEqual(secrets);
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
