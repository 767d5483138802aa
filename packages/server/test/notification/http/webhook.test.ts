import { deleteWebhook, listWebhooks, operator } from "@curtail/contract";
import { type Received, type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { type SignatureHeaders, verifySignature } from "../../../src/notification/worker/signature.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { newBrowser } from "../../support/people.js";
import { recorded } from "../../support/recorded.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

describe("a participant's webhooks", () => {
  let anna: Participant;
  let hook: Receiver;

  beforeAll(async () => {
    anna = await service.newParticipant();
    hook = await receiver();
  });

  const both = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  const register = (participant: Participant, url: string, events: unknown = both) =>
    participant.call("POST", "/webhooks", { url, events });

  describe("registering a webhook", () => {
    test("sends a test request with empty name and resource, and answers the webhook", async () => {
      const { status, body } = await register(anna, hook.url);
      expect(status).toBe(200);
      expect(body).toEqual({ id: expect.stringMatching(/^wh_/), url: hook.url, events: both });
      expect(hook.received.map(({ text }) => text)).toEqual(['{"event":{"name":""},"resource":""}']);
      expect((await anna.call(listWebhooks)).body).toEqual({ page: 0, perPage: 0, webhooks: [body] });
    });

    test.each([500, 404, 302, 203])("creates nothing when the address answers %d", async (status) => {
      const failing = await receiver();
      failing.answer = status;
      expectError(await register(anna, failing.url), 400, /test request to the url failed/);
      expect((await anna.call(listWebhooks)).body.webhooks).toHaveLength(1);
    });

    test("is refused without events, with an unknown one, with a user in the url, and beyond twenty", async () => {
      expectError(await anna.call("POST", "/webhooks", { url: hook.url }), 400, /events is missing/);
      expectError(await register(anna, hook.url, []), 400);
      expectError(await register(anna, hook.url, [{ name: "dispatch.delete" }]), 400);
      expectError(await register(anna, hook.url.replace("//", "//user:secret@")), 400, /user or password/);
      expectError(await register(anna, "ftp://example.com/"), 400, /https/);
      const ben = await service.newParticipant();
      for (let count = 0; count < 20; count++) expect((await register(ben, hook.url)).status).toBe(200);
      expectError(await register(ben, hook.url), 400, /20 webhooks/);
    });
  });

  test("a webhook's url is returned as given, even if URL parsing would normalise it", async () => {
    const ben = await service.newParticipant();
    const url = hook.url.replace("http://127.0.0.1", "HTTP://0x7F.1").replace("/hook", "/a/../hook?b=ä");
    const { body } = await register(ben, url);
    expect(body.url).toBe(url);
    expect((await ben.call(listWebhooks)).body.webhooks[0]?.url).toBe(url);
    const { items } = (await service.operator(operator.listAccountWebhooks, { params: { id: ben.accountId } })).body;
    expect(items[0]?.url).toBe(url);
    const audited = (
      await service.operator(operator.listAudit, { query: { account_id: ben.accountId, action: "webhook.create" } })
    ).body;
    expect(audited.items[0]).toMatchObject({ after: { url } });
    expect((await ben.call(deleteWebhook, { params: { id: body.id } })).body.url).toBe(url);
  });

  test("every test request has its own webhook-id, for registrations and operators' tests", async () => {
    const [ben, own] = [await service.newParticipant(), await receiver()];
    const { body } = await register(ben, own.url);
    for (let count = 0; count < 2; count++) await service.operator(operator.testWebhook, { params: { id: body.id } });
    const ids = own.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^test_/);
  });

  describe("deleting a webhook", () => {
    test("answers it, and it is gone; somebody else's is not found", async () => {
      const ben = await service.newParticipant();
      const { body } = await register(ben, hook.url);
      expectError(await anna.call(deleteWebhook, { params: { id: body.id } }), 404, /No such webhook/);
      expect((await ben.call(deleteWebhook, { params: { id: body.id } })).body).toEqual(body);
      expect((await ben.call(listWebhooks)).body.webhooks).toEqual([]);
      expectError(await ben.call(deleteWebhook, { params: { id: body.id } }), 404, /No such webhook/);
    });
  });
});

interface Webhook {
  readonly id: string;
  readonly secrets: readonly string[];
}

/** Which of the secrets verify a received request, and the number of signatures. */
const signedWith = (received: Received | undefined, secrets: readonly string[]): boolean[] => {
  const headers = received?.headers as unknown as SignatureHeaders;
  return secrets.map((secret) => verifySignature(headers, received?.text ?? "", secret, service.clock.now()));
};

const rotate = (id: string): Promise<Webhook> => service.made(operator.rotateWebhookSecret, { params: { id } });

const webhooksOf = async ({ accountId }: Participant, query = ""): Promise<{ items: Webhook[]; next_cursor: string }> =>
  (await service.operator("GET", `/accounts/${accountId}/webhooks${query}`)).body;

const register = async (participant: Participant, hook: Receiver, name = "dispatch.create"): Promise<string> =>
  (await participant.call("POST", "/webhooks", { url: hook.url, events: [{ name }] })).body.id;

const subscribed = async (): Promise<{ participant: Participant; hook: Receiver; id: string }> => {
  const [participant, hook] = [await service.newParticipant(), await receiver()];
  return { participant, hook, id: await register(participant, hook) };
};

describe("webhooks, to the operator", () => {
  describe("an account's webhooks", () => {
    test("are listed with the secret that their requests are signed with, in pages", async () => {
      const { participant, hook, id } = await subscribed();
      const second = await register(participant, hook, "dispatch.update");
      const page = await webhooksOf(participant, "?limit=1");
      expect(page.items).toEqual([
        {
          id,
          environment: "production",
          url: hook.url,
          events: ["dispatch.create"],
          interface_version: "2022-04-15",
          secrets: [expect.stringMatching(/^whsec_/)],
          created_at: service.clock.now().toISOString().replace(".000Z", "Z"),
        },
      ]);
      expect(signedWith(hook.received[0], page.items[0]?.secrets ?? [])).toEqual([true]);
      const rest = await webhooksOf(participant, `?limit=1&cursor=${page.next_cursor}`);
      expect(rest).toMatchObject({ items: [{ id: second, events: ["dispatch.update"] }], next_cursor: null });
    });

    test("are listed to auditors without the secrets, which only who may write is shown", async () => {
      const { participant, id } = await subscribed();
      const path = `/accounts/${participant.accountId}/webhooks`;
      const [auditor, dispatcher] = [await newBrowser(service, "auditor"), await newBrowser(service, "operator")];
      const [whole] = (await webhooksOf(participant)).items;
      expect((await auditor.operator("GET", path)).body.items).toEqual([{ ...whole, id, secrets: [] }]);
      expect((await dispatcher.operator("GET", path)).body.items).toEqual([whole]);
      await rotate(id);
      for (const each of ["production", "sandbox"])
        expect((await auditor.operator("GET", `${path}?environment=${each}`)).text).not.toContain("whsec_");
      expect((await auditor.operator(operator.listAudit, { query: { limit: 500 } })).text).not.toContain("whsec_");
    });

    test("are those of production; the sandbox has none yet", async () => {
      const { participant, id } = await subscribed();
      expect(await webhooksOf(participant, "?environment=production")).toMatchObject({ items: [{ id }] });
      expect(await webhooksOf(participant, "?environment=sandbox")).toEqual({ items: [], next_cursor: null });
      const { accountId } = participant;
      const wrong = await service.operator("GET", `/accounts/${accountId}/webhooks?environment=staging`);
      expectError(wrong, 400, /environment/);
      expectError(
        await service.operator(operator.listAccountWebhooks, {
          params: { id: "acc_0" },
          query: { environment: "sandbox" },
        }),
        404,
        /No such account/,
      );
    });

    test("are gone from the list once deleted; those of an unknown account are not found", async () => {
      const { participant, id } = await subscribed();
      await participant.call(deleteWebhook, { params: { id } });
      expect(await webhooksOf(participant)).toEqual({ items: [], next_cursor: null });
      expectError(
        await service.operator(operator.listAccountWebhooks, { params: { id: "acc_0" } }),
        404,
        /No such account/,
      );
    });
  });

  describe("a new secret", () => {
    test("signs beside the one before for 24 hours, then alone", async () => {
      const { participant, hook, id } = await subscribed();
      const program = await newProgram(service, [participant]);
      const before = (await webhooksOf(participant)).items[0]?.secrets;
      const { secrets } = await rotate(id);
      expect(secrets).toHaveLength(2);
      expect(secrets.slice(1)).toEqual(before);
      expect(secrets[0]).not.toBe(secrets[1]);

      service.clock.advance({ hours: 23, minutes: 59 });
      const { id: dispatchId } = await newDispatch(service, program);
      const [during] = await hook.notices(1);
      expect(signedWith(during, secrets)).toEqual([true, true]);
      await recorded(service, dispatchId, 1);

      service.clock.advance({ minutes: 1 });
      await newDispatch(service, program);
      const [, after] = await hook.notices(2);
      expect(signedWith(after, secrets)).toEqual([true, false]);
      expect((await webhooksOf(participant)).items[0]?.secrets).toEqual([secrets[0]]);
    });

    test("ends the oldest of three at once", async () => {
      const { id, participant } = await subscribed();
      const { secrets: first } = await rotate(id);
      const { secrets: second } = await rotate(id);
      expect(second).toEqual([expect.stringMatching(/^whsec_/), first[0]]);
      expect((await webhooksOf(participant)).items[0]?.secrets).toEqual(second);
    });

    test("is in the audit log as an act of the operator, but no secret is", async () => {
      const { id, participant } = await subscribed();
      await rotate(id);
      const { text, body } = await service.operator(operator.listAudit, { query: { limit: 1 } });
      const entry = {
        action: "webhook.rotate_secret",
        actor: "operator",
        subject: id,
        account_id: participant.accountId,
      };
      expect(body.items).toMatchObject([entry]);
      expect(text).not.toContain("whsec_");
    });

    test("is not made for a webhook that was deleted, or never was", async () => {
      const { id, participant } = await subscribed();
      await participant.call(deleteWebhook, { params: { id } });
      for (const gone of [id, "wh_0"]) {
        expectError(
          await service.operator(operator.rotateWebhookSecret, { params: { id: gone } }),
          404,
          /No such webhook/,
        );
        expectError(await service.operator(operator.testWebhook, { params: { id: gone } }), 404, /No such webhook/);
      }
    });
  });

  describe("testing a webhook", () => {
    test("sends the test request, signed with every valid secret, and returns the outcome", async () => {
      const { hook, id } = await subscribed();
      const { secrets } = await rotate(id);
      const { body } = await service.operator(operator.testWebhook, { params: { id } });
      expect(body).toEqual({
        ok: true,
        status: 200,
        duration_ms: expect.any(Number),
        address: "127.0.0.1",
        error: null,
        response: { content_type: null, body: "" },
      });
      expect(hook.received.map(({ text }) => text)).toEqual(Array(2).fill('{"event":{"name":""},"resource":""}'));
      expect(signedWith(hook.received[1], secrets)).toEqual([true, true]);
    });

    test("that fails returns the reason, and is not retried", async () => {
      const { hook, id } = await subscribed();
      // The next connection is a new one: a reset of a reused one is repeated once.
      hook.answer = (response) => response.writeHead(503, { connection: "close" }).end();
      const { status, body } = await service.operator(operator.testWebhook, { params: { id } });
      expect(status).toBe(200);
      expect(body).toMatchObject({ ok: false, status: 503, error: "status_503" });
      hook.answer = (response) => response.destroy();
      expect((await service.operator(operator.testWebhook, { params: { id } })).body).toMatchObject({
        ok: false,
        status: null,
        response: null,
      });
      expect((await service.operator(operator.listWebhookDeliveries, { params: { id } })).body.items).toEqual([]);
      expect(hook.received).toHaveLength(3);
    });
  });
});
