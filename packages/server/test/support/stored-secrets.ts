import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth, createWebhook, operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { chatRooms } from "@curtail/testing/chat-rooms";
import { pushService } from "@curtail/testing/push-service";
import { receiver } from "@curtail/testing/receiver";
import { generateSync } from "otplib";
import { openSecretBox } from "../../src/app/wire/secret-keys.js";
import { register } from "./noticing.js";
import { type Browser, newBrowser, PASSWORD } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
export let anna: Participant;
export let ann: Browser;
export let totpSecret: string;
export let webhookId: string;

export const hook = await receiver();

export const prepare = async () => {
  service = await running();
  anna = await service.newParticipant();
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  webhookId = (await anna.call(createWebhook, { body: { url: hook.url, events } })).body.id;
  await service.made(operator.createChannelAddress, {
    params: { id: anna.accountId },
    body: { channel: "chat", name: "Control room", address: (await chatRooms()).open().address },
  });
  const sandbox = await service.sandboxCall(anna);
  await sandbox("POST", "/webhooks", { url: hook.url, events });
  ann = await newBrowser(service, "operator");
  totpSecret = (await ann.auth(auth.setUpTotp, { body: { password: PASSWORD } })).body.secret ?? "";
  await ann.auth(auth.setUpTotp, { body: { code: codeNow() } });
  await register(ann, (await pushService()).newBrowser());
  await ann.auth(auth.getNoticePreferences);
};

export const codeNow = (): string =>
  generateSync({ secret: totpSecret, epoch: Math.floor(service.clock.now().getTime() / 1000) });

const columns = [
  "users.totp_secret",
  "webhooks.secret",
  "webhooks.previous_secret",
  "sandbox.webhooks.secret",
  "sandbox.webhooks.previous_secret",
  "channel_addresses.address",
  "push_keys.private_key",
  "push_subscriptions.target",
].map((name) => ({ table: name.slice(0, name.lastIndexOf(".")), column: name.slice(name.lastIndexOf(".") + 1) }));

/** Every secret as stored in the database. */
export const stored = async (): Promise<string[]> => {
  const texts = [];
  for (const { table, column } of columns) {
    const { rows } = await service.database.pool.query(
      // A row that was put back may be read after others.
      `select ${column} as text from ${table} where ${column} is not null order by 1`,
    );
    texts.push(...rows.map(({ text }) => text as string));
  }
  return texts;
};

/** Replaces a webhook's stored secret; returns a function that restores it. */
export const withSecret = async (id: string, text: string): Promise<() => Promise<unknown>> => {
  const { pool } = service.database;
  const { rows } = await pool.query("select secret from webhooks where id = $1", [id]);
  const store = (secret: string) => pool.query("update webhooks set secret = $2 where id = $1", [id, secret]);
  await store(text);
  return () => store(rows[0].secret);
};

/** Settings of a process with these keys, or with the key file of that directory. */
export const at = (dataDir: string, ...keys: Buffer[]) => ({ dataDir, secretsKeys: keys.length === 0 ? null : keys });
export const open = (dataDir = service.dataDir, ...keys: Buffer[]) =>
  openSecretBox(service.database.pool, at(dataDir, ...keys));
export const otherFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-secrets-"));
  atEnd(() => rm(folder, { recursive: true }));
  return folder;
};
