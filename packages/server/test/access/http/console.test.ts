import { createWebhook, getDispatch, listWebhooks, operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newPeopledAccount, type PeopledAccount } from "../../support/console-calls.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf, said, untilHappened } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
let anna: PeopledAccount;
let bert: PeopledAccount;

beforeAll(async () => {
  service = await running();
  anna = await newPeopledAccount(service, "Anna's works", "annas main");
  bert = await newPeopledAccount(service, "Bert's works", "berts main");
});

const lastAct = async () => (await service.operator(operator.listAudit, { query: { limit: 1 } })).body.items[0];

describe("a webhook of the own account", () => {
  test("is shown to the administrator with its secrets, to the viewer without", async () => {
    const path = `/webhooks/${anna.names.webhookId}`;
    const { items } = (
      await service.operator(operator.listAccountWebhooks, { params: { id: anna.participant.accountId } })
    ).body;
    expect((await anna.admin.console("GET", path)).body).toEqual(items[0]);
    expect((await anna.viewer.console("GET", path)).body).toEqual({ ...items[0], secrets: [] });
    expect(items[0]?.secrets).toEqual([expect.stringMatching(/^whsec_/)]);
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

  test("is tested now, and returns the outcome", async () => {
    const { body } = await anna.admin.console(participantConsole.testOwnWebhook, {
      params: { id: anna.names.webhookId },
    });
    expect(body).toMatchObject({ ok: true, status: 200, error: null });
  });

  test("of the sandbox is not found", async () => {
    const call = await service.sandboxCall(anna.participant);
    const { body } = await call(listWebhooks);
    const { url } = (
      await anna.admin.console(participantConsole.getOwnWebhook, { params: { id: anna.names.webhookId } })
    ).body;
    expect(body.webhooks).toEqual([]);
    const rehearsed = (await call(createWebhook, { body: { url, events: [{ name: "dispatch.create" }] } })).body.id;
    expectError(
      await anna.admin.console(participantConsole.getOwnWebhook, { params: { id: rehearsed } }),
      404,
      /No such webhook/,
    );
    expectError(
      await anna.admin.console(participantConsole.listOwnWebhookDeliveries, { params: { id: rehearsed } }),
      404,
      /No such webhook/,
    );
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
    expectError(
      await anna.admin.console(participantConsole.listOwnDispatchDeliveries, { params: { id } }),
      404,
      /No such dispatch/,
    );
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
    await bert.admin.console(participantConsole.deleteOwnWebhook, { params: { id: bert.names.webhookId } });
    expect((await bert.viewer.console("GET", path)).body.items).toHaveLength(2);
  });

  test("are resent, which the audit log records for the user", async () => {
    const { deliveryId } = anna.names;
    const { body } = await anna.admin.console(participantConsole.resendOwnDelivery, { params: { id: deliveryId } });
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

describe("the evidence of a dispatch", () => {
  let anna: PeopledAccount;
  let bert: PeopledAccount;

  beforeAll(async () => {
    anna = await newPeopledAccount(service, "Anna's mill", "annas mill");
    bert = await newPeopledAccount(service, "Bert's mill", "berts mill");
  });

  test("the evidence of a dispatch that calls several accounts is the own account's alone, in pages", async () => {
    const program = await newProgram(service, [anna.participant, bert.participant]);
    const { id } = await newDispatch(service, program);
    await untilHappened(service, id, { happened: "webhook delivered", count: 2 });
    await untilHappened(service, id, { happened: "chat delivered", count: 2 });
    await bert.participant.call(getDispatch, { params: { id } });
    const path = `/dispatches/${id}/evidence`;
    for (const { admin, viewer, participant } of [anna, bert]) {
      const own = await evidenceOf(service, id, { account_id: participant.accountId });
      for (const browser of [admin, viewer]) expect((await browser.console("GET", path)).body.items).toEqual(own);
      const { next_cursor } = (await admin.console("GET", `${path}?limit=1`)).body;
      expect((await admin.console("GET", `${path}?cursor=${next_cursor}`)).body.items).toEqual(own.slice(1));
    }
    expect(said((await anna.admin.console("GET", path)).body.items)).not.toContain("rest fetched");
  });

  test("another account cannot be named", async () => {
    const { dispatchId } = anna.names;
    const path = `/dispatches/${dispatchId}/evidence?account_id=${bert.participant.accountId}`;
    const { items } = (await anna.admin.console("GET", path)).body;
    expect(items).not.toHaveLength(0);
    for (const each of items) expect(each.account_id).toBe(anna.participant.accountId);
  });

  test("of a dispatch that is not notified yet there is none", async () => {
    const program = await newProgram(service, [anna.participant]);
    const times = { start_time: ahead(service, { hours: 48 }), notification_time: ahead(service, { hours: 24 }) };
    const { id } = await newDispatch(service, program, times);
    expectError(
      await anna.admin.console(participantConsole.listOwnEvidence, { params: { id } }),
      404,
      /No such dispatch/,
    );
  });
});

const past = async ({ viewer }: PeopledAccount, query = "") =>
  (await viewer.console("GET", `/dispatches/past${query}`)).body;

describe("past dispatches", () => {
  test("dispatches of any age that are over or cancelled are listed in pages, newest first, the own sites alone", async () => {
    const program = await newProgram(service, [anna.participant, bert.participant]);
    const over = await newDispatch(service, program, {
      start_time: ahead(service, { days: -40 }),
      end_time: ahead(service, { days: -40, hours: 1 }),
    });
    const cancelled = await newDispatch(service, program);
    await service.made(operator.changeDispatch, { params: { id: cancelled.id }, body: { authorized: false } });
    await newDispatch(service, program, { start_time: ahead(service, { minutes: -5 }) });
    const { items } = await past(anna);
    expect(items.map(({ id }: { id: string }) => id)).toEqual([cancelled.id, over.id]);
    for (const { sites } of items)
      expect(sites.map(({ id }: { id: string }) => id)).toEqual(anna.participant.sites.map(({ id }) => id));
    const first = await past(anna, "?limit=1");
    expect((await past(anna, `?limit=1&cursor=${first.next_cursor}`)).items).toMatchObject([{ id: over.id }]);
  });

  test("a dispatch cancelled before its notification is not listed", async () => {
    const program = await newProgram(service, [bert.participant]);
    const times = { start_time: ahead(service, { hours: 48 }), notification_time: ahead(service, { hours: 2 }) };
    const { id } = await newDispatch(service, program, times);
    await service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    service.clock.advance({ hours: 3 });
    const { items } = await past(bert);
    expect(items.map((each: { id: string }) => each.id)).not.toContain(id);
  });
});

describe("dispatch contacts", () => {
  test("an account's people add, list and remove its dispatch contacts, which the audit log has as theirs", async () => {
    const { accountId } = await service.newParticipant();
    const admin = await newBrowser(service, "participant-admin", accountId);
    const added = await admin.console(participantConsole.createOwnContact, {
      body: { name: "Ann", email: "ann@example.org" },
    });
    const ben = { name: "Ben", email: "ben@example.org", phone: "+1 555 010 0200" };
    const second = (await admin.console(participantConsole.createOwnContact, { body: ben })).body;
    expect(second).toMatchObject(ben);
    const { items } = (await service.operator(operator.listContacts, { params: { id: accountId } })).body;
    expect(items).toEqual([added.body, second]);
    expect((await admin.console(participantConsole.listOwnContacts, { query: { limit: 1 } })).body.items).toEqual([
      added.body,
    ]);
    expect((await admin.console(participantConsole.deleteOwnContact, { params: { id: added.body.id } })).status).toBe(
      204,
    );
    expect((await admin.console(participantConsole.listOwnContacts)).body).toEqual({
      items: [second],
      next_cursor: null,
    });
    expectError(
      await admin.console(participantConsole.deleteOwnContact, { params: { id: added.body.id } }),
      404,
      /No such contact/,
    );
    const acts = (await service.operator(operator.listAudit, { query: { limit: 3 } })).body.items;
    const act = { actor: `user:${admin.id}`, account_id: accountId };
    expect(acts).toMatchObject([
      { ...act, action: "contact.delete", subject: added.body.id },
      { ...act, action: "contact.create", subject: second.id },
      { ...act, action: "contact.create", subject: added.body.id },
    ]);
  });
});
