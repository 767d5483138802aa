import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWebhook, operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { receiver } from "@curtail/testing/receiver";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { rotateAll } from "../../../src/app/commands/rotate-secrets.js";
import { keysOf, openSecretBox } from "../../../src/app/wire/secret-keys.js";
import { cloneDatabase } from "../../support/database.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import {
  anna,
  at,
  hook,
  open,
  otherFolder,
  prepare,
  service,
  stored,
  webhookId,
  withSecret,
} from "../../support/stored-secrets.js";

beforeAll(prepare);

describe("secrets of webhooks and authenticator apps", () => {
  test("that a newer version encrypted are not taken for plain ones, and are left as they are", async () => {
    const putBack = await withSecret(webhookId, "enc2:00000000:AAAA");
    await service.another();
    expect(await stored()).toContain("enc2:00000000:AAAA");
    expect((await service.operator(operator.listAccountWebhooks, { params: { id: anna.accountId } })).status).toBe(500);
    await expect(rotateAll(service.database.pool, at(service.dataDir))).rejects.toThrow(/by a newer version/);
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
