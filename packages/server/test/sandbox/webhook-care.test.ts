import { createScenario, createWebhook, operator, participantConsole } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { adminOf, type Ran } from "../app/admin-run.js";
import { newPeopledAccount, type PeopledAccount } from "../support/console-calls.js";
import { expectError } from "../support/expect-error.js";
import { type Running, running } from "../support/running.js";
import { inMinutes, scenarioOf } from "../support/scenario.js";

let service: Running;
let anna: PeopledAccount;
let bert: PeopledAccount;
let hook: Receiver;
/** Of Anna's webhook in the sandbox. */
let id: string;
let deliveryId: string;

const SANDBOX = "?environment=sandbox";
const both = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];

beforeAll(async () => {
  service = await running();
  anna = await newPeopledAccount(service, "Anna's works", "annas main");
  bert = await newPeopledAccount(service, "Bert's works", "berts main");
  hook = await receiver();
  const call = await service.sandboxCall(anna.participant);
  id = (await call(createWebhook, { body: { url: hook.url, events: both } })).body.id;
  await call(createScenario, { body: scenarioOf(service, "basic", { notification_time: inMinutes(service, 0) }) });
  const path = `/webhooks/${id}/deliveries${SANDBOX}`;
  await vi.waitFor(async () => {
    const { items } = (await service.operator("GET", path)).body;
    expect(items).toMatchObject([{ state: "delivered" }]);
    deliveryId = items[0].id;
  });
});

const attemptsOf = async (): Promise<number> =>
  (await service.operator("GET", `/webhooks/${id}/deliveries${SANDBOX}`)).body.items[0].attempts.length;

/** Waits until exactly one attempt more is recorded: of a resend that is under way, the next test would count two. */
const expectResent = async (resend: () => Promise<unknown>): Promise<void> => {
  const before = await attemptsOf();
  await resend();
  await expect.poll(attemptsOf).toBe(before + 1);
};

const lastSandboxAct = async () => (await service.operator("GET", `/audit${SANDBOX}&limit=1`)).body.items[0];

describe("operators", () => {
  test("rotate the secret of the sandbox's webhook, which the sandbox's audit log has", async () => {
    const path = `/accounts/${anna.participant.accountId}/webhooks${SANDBOX}`;
    const [before] = (await service.operator("GET", path)).body.items;
    const rotated = await service.made(operator.rotateWebhookSecret, {
      params: { id },
      query: { environment: "sandbox" },
    });
    expect(rotated).toMatchObject({ id, environment: "sandbox", secrets: [expect.any(String), before.secrets[0]] });
    expect(await lastSandboxAct()).toMatchObject({
      action: "webhook.rotate_secret",
      subject: id,
      account_id: anna.participant.accountId,
    });
  });

  test("test it", async () => {
    const { body } = await service.operator("POST", `/webhooks/${id}/test${SANDBOX}`);
    expect(body).toMatchObject({ ok: true, status: 200 });
  });

  test("resend a delivery of it, and see it among those of its dispatch", async () => {
    let ofDispatch = "";
    await expectResent(async () => {
      const { body } = await service.operator("POST", `/deliveries/${deliveryId}/resend${SANDBOX}`);
      expect(body).toMatchObject({ id: deliveryId, state: "delivered" });
      ofDispatch = `/dispatches/${body.dispatch_id}/deliveries`;
    });
    expect((await service.operator("GET", ofDispatch + SANDBOX)).body.items).toMatchObject([{ id: deliveryId }]);
    expectError(await service.operator("GET", ofDispatch), 404, /No such dispatch/);
  });

  test("requires the sandbox environment, which does not reach production's webhooks", async () => {
    for (const path of [`/webhooks/${id}/rotate-secret`, `/webhooks/${id}/test`, `/deliveries/${deliveryId}/resend`]) {
      expectError(await service.operator("POST", path), 404);
    }
    const { webhookId, deliveryId: inProduction } = anna.names;
    for (const path of [`/webhooks/${webhookId}/rotate-secret`, `/deliveries/${inProduction}/resend`]) {
      expectError(await service.operator("POST", path + SANDBOX), 404);
    }
    expectError(await service.operator("POST", `/webhooks/${id}/test?environment=moon`), 400, /environment/);
  });

  test("do it with curtail admin", async () => {
    const run = adminOf(service);
    const done = async (...args: string[]): Promise<Ran> => {
      const ran = await run([...args, "--environment", "sandbox"]);
      expect(ran.exitCode, ran.stderr).toBe(0);
      return ran;
    };
    expect((await done("webhooks", "rotate-secret", id)).stdout).toMatch(/environment: +sandbox/);
    expect((await done("webhooks", "test", id)).stdout).toMatch(/ok: +yes/);
    await expectResent(async () =>
      expect((await done("deliveries", "resend", deliveryId)).stdout).toContain(deliveryId),
    );
  });
});

describe("the account's own people", () => {
  test("list, register and delete the sandbox's webhooks, apart from production's", async () => {
    const own = async (query: string): Promise<string[]> =>
      (await anna.viewer.console("GET", `/webhooks${query}`)).body.webhooks.map((each: { id: string }) => each.id);
    expect(await own(SANDBOX)).toEqual([id]);
    expect(await own("")).toEqual([anna.names.webhookId]);
    const other = await receiver();
    const made = await anna.admin.console("POST", `/webhooks${SANDBOX}`, { url: other.url, events: both });
    expect(await own(SANDBOX)).toEqual([id, made.body.id]);
    expectError(await anna.viewer.console("POST", `/webhooks${SANDBOX}`, { url: other.url, events: both }), 404);
    expectError(await anna.admin.console(participantConsole.deleteOwnWebhook, { params: { id: made.body.id } }), 404);
    expect((await anna.admin.console("DELETE", `/webhooks/${made.body.id}${SANDBOX}`)).body).toEqual(made.body);
    expect(await own(SANDBOX)).toEqual([id]);
  });

  test("see one, give it a new secret, test it; a viewer sees no secret", async () => {
    const seen = (await anna.admin.console("GET", `/webhooks/${id}${SANDBOX}`)).body;
    expect(seen).toMatchObject({ id, environment: "sandbox", secrets: expect.arrayContaining([expect.any(String)]) });
    expect((await anna.viewer.console("GET", `/webhooks/${id}${SANDBOX}`)).body.secrets).toEqual([]);
    const rotated = (await anna.admin.console("POST", `/webhooks/${id}/rotate-secret${SANDBOX}`)).body;
    expect(rotated.secrets[1]).toBe(seen.secrets[0]);
    expect(await lastSandboxAct()).toMatchObject({ actor: `user:${anna.admin.id}`, action: "webhook.rotate_secret" });
    expect((await anna.admin.console("POST", `/webhooks/${id}/test${SANDBOX}`)).body.ok).toBe(true);
  });

  test("list its deliveries and resend one", async () => {
    const path = `/webhooks/${id}/deliveries${SANDBOX}`;
    expect((await anna.viewer.console("GET", path)).body.items).toMatchObject([{ id: deliveryId }]);
    await expectResent(() => anna.admin.console("POST", `/deliveries/${deliveryId}/resend${SANDBOX}`));
  });

  test("cannot reach another account's", async () => {
    for (const [method, path] of [
      ["GET", `/webhooks/${id}`],
      ["GET", `/webhooks/${id}/deliveries`],
      ["POST", `/webhooks/${id}/rotate-secret`],
      ["POST", `/webhooks/${id}/test`],
      ["POST", `/deliveries/${deliveryId}/resend`],
      ["DELETE", `/webhooks/${id}`],
    ] as const) {
      expectError(await bert.admin.console(method, path + SANDBOX), 404, /No such/);
    }
    expect((await bert.admin.console("GET", `/webhooks${SANDBOX}`)).body.webhooks).toEqual([]);
  });
});
