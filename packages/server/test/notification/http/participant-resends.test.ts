import { createScenario, createWebhook, deleteWebhook, listRequests, listResends, operator } from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { inMinutes, scenarioOf } from "../../support/scenario.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

interface Subscribed {
  readonly participant: Participant;
  readonly hook: Receiver;
  readonly webhookId: string;
}

const both = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];

const subscribed = async (participant?: Participant): Promise<Subscribed> => {
  const [of, hook] = [participant ?? (await service.newParticipant()), await receiver()];
  const { body } = await of.call(createWebhook, { body: { url: hook.url, events: both } });
  return { participant: of, hook, webhookId: body.id };
};

const dispatched = async ({ participant }: Subscribed): Promise<string> =>
  (await newDispatch(service, await newProgram(service, [participant]))).id;

const resend = (id: string, environment: "production" | "sandbox" = "production") =>
  service.made(operator.resendDelivery, { params: { id }, query: { environment } });

/** Resends the newest notification that a receiver has, and waits until it went out and that is recorded. */
const resent = async ({ hook, webhookId }: Subscribed, seen: number): Promise<string> => {
  const id = String((await hook.notices(seen)).at(-1)?.headers["webhook-id"]);
  await resend(id);
  await hook.notices(seen + 1);
  const isWaiting = async () => {
    const { items } = await service.made(operator.listWebhookDeliveries, { params: { id: webhookId } });
    return items.find((each) => each.id === id)?.next_attempt_at !== null;
  };
  await expect.poll(isWaiting).toBe(false);
  return id;
};

const listOf = async ({ participant }: Subscribed, query: { limit?: number; cursor?: string } = {}) =>
  (await participant.call(listResends, { query })).body;

describe("resends", () => {
  test("are listed newest first, each once, with the modification that was notified", async () => {
    const of = await subscribed();
    expect(await listOf(of)).toEqual({ items: [], next_cursor: null });
    const dispatch_id = await dispatched(of);
    const created = await resent(of, 1);
    service.clock.advance({ seconds: 1 });
    await service.made(operator.changeDispatch, { params: { id: dispatch_id }, body: { authorized: false } });
    const changed = await resent(of, 3);
    const { items } = await listOf(of);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const each = { id: expect.stringMatching(/^rsn_[0-9a-f]{16}$/), at, webhook_id: of.webhookId, dispatch_id };
    expect(items).toEqual([
      { ...each, delivery_id: changed, event: "dispatch.update", modification_number: 1 },
      { ...each, delivery_id: created, event: "dispatch.create", modification_number: 0 },
    ]);
    expect(items[0]?.id).not.toBe(items[1]?.id);
  });

  test("are those of the account alone, whichever webhook was notified, also one that is deleted since", async () => {
    const first = await subscribed();
    const second = await subscribed(first.participant);
    const stranger = await subscribed();
    await dispatched(first);
    const ids = [await resent(first, 1)];
    service.clock.advance({ seconds: 1 });
    ids.push(await resent(second, 1));
    await first.participant.call(deleteWebhook, { params: { id: first.webhookId } });
    expect((await listOf(first)).items.map(({ delivery_id }) => delivery_id)).toEqual(ids.toReversed());
    expect(await listOf(stranger)).toEqual({ items: [], next_cursor: null });
  });

  test("come in pages, of the last 24 hours, and asking for them fills no log", async () => {
    const of = await subscribed();
    await dispatched(of);
    const twice = [await resent(of, 1)];
    service.clock.advance({ seconds: 1 });
    twice.push(await resent(of, 2));
    expect(twice[0]).toBe(twice[1]);
    const page = await listOf(of, { limit: 1 });
    expect(page.items).toHaveLength(1);
    const rest = await listOf(of, { limit: 1, cursor: page.next_cursor ?? "" });
    expect(rest).toMatchObject({ items: [expect.anything()], next_cursor: null });
    expect(rest.items[0]?.id).not.toBe(page.items[0]?.id);
    expectError(await of.participant.call("GET", "/resends?limit=501"), 400, /limit/);
    const { items } = (await of.participant.call(listRequests, { query: { status: "ok" } })).body;
    expect(items.filter(({ path }) => path.includes("/resends"))).toEqual([]);
    service.clock.advance({ hours: 24, seconds: 1 });
    expect((await listOf(of)).items).toEqual([]);
  });

  test("in pages of any size are each listed once, also those of one moment, and no cursor tells what others do", async () => {
    const of = await subscribed();
    for (let round = 0; round < 3; round++) await dispatched(of);
    const ids = (await of.hook.notices(3)).map(({ headers }) => String(headers["webhook-id"]));
    for (const id of ids) await resend(id);
    await of.hook.notices(6);
    const { items: all } = await listOf(of);
    expect(all).toHaveLength(3);
    for (const limit of [1, 2, 3]) {
      const listed: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await listOf(of, { limit, ...(cursor === null ? {} : { cursor }) });
        listed.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
        // Nothing but what the list says of its last item.
        const [, ms, deliveryId] = /^n(\d{13})\.(\w+)$/.exec(Buffer.from(cursor ?? "", "base64url").toString()) ?? [];
        const last = page.items.at(-1);
        if (cursor !== null)
          expect([Math.floor(Number(ms) / 1000), deliveryId]).toEqual([
            Date.parse(last?.at ?? "") / 1000,
            last?.delivery_id,
          ]);
      } while (cursor !== null);
      expect(listed).toEqual(all.map(({ id }) => id));
    }
    const at = (place: string) =>
      of.participant.call(listResends, { query: { cursor: Buffer.from(place).toString("base64url") } });
    for (const place of ["n1.", "n9999999999999999.dlv_1", "s5"])
      expectError(await at(place), 400, /cursor is not valid/);
    expect((await at("n999999999999999.dlv_1")).body.items).toHaveLength(3);
  });

  test("of the sandbox are its own; the public key has none", async () => {
    const participant = await service.newParticipant();
    const [sandbox, hook] = [await service.sandboxCall(participant), await receiver()];
    await sandbox(createWebhook, { body: { url: hook.url, events: both } });
    await sandbox(createScenario, { body: scenarioOf(service, "basic", { notification_time: inMinutes(service, 0) }) });
    const delivery_id = String((await hook.notices(1))[0]?.headers["webhook-id"]);
    await resend(delivery_id, "sandbox");
    expect((await sandbox(listResends)).body.items).toMatchObject([{ delivery_id, event: "dispatch.create" }]);
    expect((await participant.call(listResends)).body.items).toEqual([]);
  });
});
