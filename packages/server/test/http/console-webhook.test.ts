import { beforeAll, describe, expect, test } from "vitest";
import { newPeopledAccount, type PeopledAccount } from "../support/console-calls.js";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { expectError } from "../support/expect-error.js";
import { type Running, running } from "../support/running.js";

let service: Running;
let anna: PeopledAccount;
let bert: PeopledAccount;

beforeAll(async () => {
  service = await running();
  anna = await newPeopledAccount(service, "Anna's works", "annas main");
  bert = await newPeopledAccount(service, "Bert's works", "berts main");
});

const lastAct = async () => (await service.operator("GET", "/audit?limit=1")).body.items[0];

describe("a webhook of the own account", () => {
  test("is shown to the administrator with its secrets, to the viewer without", async () => {
    const path = `/webhooks/${anna.names.webhookId}`;
    const { items } = (await service.operator("GET", `/accounts/${anna.participant.accountId}/webhooks`)).body;
    expect((await anna.admin.console("GET", path)).body).toEqual(items[0]);
    expect((await anna.viewer.console("GET", path)).body).toEqual({ ...items[0], secrets: [] });
    expect(items[0].secrets).toEqual([expect.stringMatching(/^whsec_/)]);
  });

  test("gets a new secret beside the one before; the audit log names the person", async () => {
    const path = `/webhooks/${anna.names.webhookId}`;
    const [before] = (await anna.admin.console("GET", path)).body.secrets;
    const { secrets } = (await anna.admin.console("POST", `${path}/rotate-secret`)).body;
    expect(secrets).toEqual([expect.stringMatching(/^whsec_/), before]);
    const account_id = anna.participant.accountId;
    const act = { action: "webhook.rotate_secret", actor: `user:${anna.admin.id}`, account_id };
    expect(await lastAct()).toMatchObject(act);
  });

  test("is tested now, and tells how it went", async () => {
    const { body } = await anna.admin.console("POST", `/webhooks/${anna.names.webhookId}/test`);
    expect(body).toMatchObject({ ok: true, status: 200, error: null });
  });

  test("of the sandbox is not found", async () => {
    const call = await service.sandboxCall(anna.participant);
    const { body } = await call("GET", "/webhooks");
    const { url } = (await anna.admin.console("GET", `/webhooks/${anna.names.webhookId}`)).body;
    expect(body.webhooks).toEqual([]);
    const rehearsed = (await call("POST", "/webhooks", { url, events: [{ name: "dispatch.create" }] })).body.id;
    expectError(await anna.admin.console("GET", `/webhooks/${rehearsed}`), 404, /No such webhook/);
    expectError(await anna.admin.console("GET", `/webhooks/${rehearsed}/deliveries`), 404, /No such webhook/);
  });
});

describe("deliveries", () => {
  test("of a dispatch that calls several accounts are the own ones alone", async () => {
    const program = await newProgram(service, [anna.participant, bert.participant]);
    const { id } = await newDispatch(service, program);
    const all = `/dispatches/${id}/deliveries`;
    await expect.poll(async () => (await service.operator("GET", all)).body.items).toHaveLength(2);
    for (const { admin, viewer, names } of [anna, bert])
      for (const browser of [admin, viewer])
        expect((await browser.console("GET", all)).body.items).toMatchObject([{ webhook_id: names.webhookId }]);
  });

  test("of a dispatch that is not notified yet are not found", async () => {
    const program = await newProgram(service, [anna.participant]);
    const times = { start_time: later(48), notification_time: later(24) };
    const { id } = await newDispatch(service, program, times);
    expectError(await anna.admin.console("GET", `/dispatches/${id}/deliveries`), 404, /No such dispatch/);
  });

  test("of a webhook come in pages, those of a deleted one too", async () => {
    const path = `/webhooks/${bert.names.webhookId}/deliveries`;
    const all = (await bert.viewer.console("GET", path)).body.items;
    expect(all).toHaveLength(2);
    const { items, next_cursor } = (await bert.viewer.console("GET", `${path}?limit=1`)).body;
    expect(items).toEqual(all.slice(0, 1));
    expect((await bert.viewer.console("GET", `${path}?limit=1&cursor=${next_cursor}`)).body.items).toEqual(
      all.slice(1),
    );
    await bert.admin.console("DELETE", `/webhooks/${bert.names.webhookId}`);
    expect((await bert.viewer.console("GET", path)).body.items).toHaveLength(2);
  });

  test("are sent once more, which the audit log has as the person's act", async () => {
    const { deliveryId } = anna.names;
    const { body } = await anna.admin.console("POST", `/deliveries/${deliveryId}/resend`);
    expect(body).toMatchObject({ id: deliveryId, state: "delivered" });
    const path = `/webhooks/${anna.names.webhookId}/deliveries`;
    const attempts = async () =>
      (await anna.admin.console("GET", path)).body.items.find((each: { id: string }) => each.id === deliveryId)
        .attempts;
    await expect.poll(attempts).toHaveLength(2);
    expect(await lastAct()).toMatchObject({ action: "delivery.resend", actor: `user:${anna.admin.id}` });
  });
});

const later = (hours: number): string => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();
