import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SERVICE_CONNECTIONS } from "../../support/database.js";
import { newDispatch } from "../../support/dispatching.js";
import { byFramework, ids, polled, prepare, prepareEach, program, service } from "../../support/polls.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("a poll", () => {
  test("does not wait for connections that others hold", async () => {
    const { id } = await newDispatch(service, program);
    expect(await ids()).toEqual([id]);
    const held = await Promise.all(
      Array.from({ length: SERVICE_CONNECTIONS }, () => service.database.servicePool.connect()),
    );
    try {
      expect(await ids()).toEqual([id]);
      expect((await byFramework()).status).toBe(500);
    } finally {
      for (const client of held) client.release();
    }
  });

  test("is answered by the framework while the database does not respond, and from memory again after", async () => {
    await newDispatch(service, program);
    expect((await polled()).status).toBe(200);
    await service.database.cutOff();
    expect((await polled()).status).toBe(500);
    await service.database.letIn();
    await expect.poll(async () => (await polled()).status).toBe(200);
  });

  test("is answered by the framework when the stamps cannot be read in time", async () => {
    const { id } = await newDispatch(service, program);
    const client = await service.database.pool.connect();
    await client.query("begin; lock table journal in access exclusive mode");
    expect(await ids()).toEqual([id]);
    await client.query("rollback");
    client.release();
    expect(await ids()).toEqual([id]);
  });
});
