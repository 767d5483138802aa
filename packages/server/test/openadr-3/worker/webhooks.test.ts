import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import type { Secret31 } from "../../support/openadr-3.js";
import { equipped, eventOf } from "../../support/openadr3-vens.js";
import {
  asking,
  bl,
  callsAbout,
  grantedTo,
  marker,
  prepare,
  priceEvent,
  program,
  subscribed,
  vtn,
} from "../../support/openadr3-webhooks.js";

beforeAll(prepare);

describe("the challenge of a callback", () => {
  test("reaches only addresses that webhooks may reach", async () => {
    const ven = await vtn.ven();
    for (const url of ["https://10.0.0.1/hook", "https://169.254.169.254/latest"]) {
      expect(await ven.subscriptions.create(asking(url))).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining("(blocked_address)") },
      });
    }
    for (const url of ["http://10.0.0.1/hook", "ftp://example.com/hook", "https://user:password@example.com/hook"]) {
      expect(await ven.subscriptions.create(asking(url))).toMatchObject({ status: 400 });
    }
  });
});

describe("a notification", () => {
  test("of an event is the object as a GET returns it, in one JSON, with the token of the subscriber", async () => {
    const ven = await vtn.ven();
    const { id: programID } = await program();
    const receiver = await subscribed(ven, { programID, bearerToken: "test-token" });
    const event = await bl.events.made(priceEvent(programID));
    const [call] = await callsAbout(receiver, event.id, 1);
    expect(call?.body).toEqual({
      objectType: "EVENT",
      operation: "CREATE",
      object: (await ven.events.get(event.id)).body,
    });
    expect(call?.headers).toMatchObject({ authorization: "Bearer test-token", "content-type": "application/json" });
    expect(call?.path).toBe(new URL(receiver.url).pathname);
    const { createdDateTime, modificationDateTime } = call?.body.object ?? {};
    for (const time of [createdDateTime, modificationDateTime]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test("never carries the token of a subscription, not even about that subscription", async () => {
    const receiver = await subscribed(bl, { objects: ["SUBSCRIPTION"] });
    await subscribed(await vtn.ven(), { bearerToken: "of-a-stranger" });
    expect((await receiver.notified(1))[0]?.text).not.toContain("of-a-stranger");
    const { rows } = await vtn.database.pool.query(
      "select bearer_tokens, body from openadr3_objects where bearer_tokens is not null",
    );
    expect(JSON.stringify(rows)).not.toContain("of-a-stranger");
  });
});

describe("privacy of notifications", () => {
  test("a VEN hears of no event with targets that it was not granted, and learns no targets of others", async () => {
    const [granted, other] = [await grantedTo("group1"), await grantedTo("group2")];
    const asked = { objects: ["EVENT", "PROGRAM"] };
    const [receiver, others] = [await subscribed(granted, asked), await subscribed(other, asked)];
    const event = await bl.events.made(priceEvent((await program()).id, { targets: ["group1", "secret"] }));
    await marker(others);
    await expect
      .poll(() => receiver.calls.find(({ body }) => body.object.id === event.id)?.body.object.targets)
      .toEqual(["group1"]);
    expect(others.calls.filter(({ body }) => body.object.id === event.id)).toEqual([]);
  });
});

describe("notifications of a dispatch", () => {
  test("tell its creation, change, early end and cancellation, to the VEN of its site alone", async () => {
    const [participant, stranger] = [await vtn.newParticipant(), await vtn.newParticipant()];
    const operations = ["CREATE", "UPDATE", "DELETE"];
    const receiver = await subscribed(await vtn.ven({ participant }), { operations });
    const strangers = await subscribed(await vtn.ven({ participant: stranger }), {
      operations,
      objects: ["EVENT", "PROGRAM"],
    });
    const programId = await newProgram(vtn, [participant]);
    const dispatch = await newDispatch(vtn, programId, { end_time: ahead(vtn, { hours: 3 }) });
    const change = (body: object) => vtn.made(operator.changeDispatch, { params: { id: dispatch.id }, body });
    const about = () =>
      receiver.calls.map(({ body }) => body).filter(({ object }) => object.eventName.endsWith(dispatch.id));
    const told = async (many: number) => {
      await expect.poll(() => about().length).toBe(many);
      return about();
    };
    await told(1);
    await change({ end_time: ahead(vtn, { hours: 4 }) });
    await told(2);
    await change({ end_time: ahead(vtn, { hours: 2 }) });
    await told(3);
    await change({ authorized: false });
    expect((await told(4)).map(({ operation, object }) => [operation, object.intervalPeriod.duration])).toEqual([
      ["CREATE", "PT2H"],
      ["UPDATE", "PT3H"],
      ["UPDATE", "PT1H"],
      ["DELETE", "PT1H"],
    ]);
    await marker(strangers);
    expect(strangers.calls.filter(({ text }) => text.includes(dispatch.id))).toEqual([]);
  });
});

describe("a receiver that fails", () => {
  test("is tried again by the schedule of all webhooks, and given up after five attempts", async () => {
    const site = await equipped(vtn);
    const { ven } = site;
    const receiver = await subscribed(ven);
    receiver.answer = 503;
    const { id } = await eventOf(vtn, site, (await newDispatch(vtn, site.programId)).id);
    for (let attempts = 1; attempts <= 5; attempts++) {
      await callsAbout(receiver, id, attempts);
      await expect.poll(() => attemptsOf(ven, id)).toHaveLength(attempts);
      vtn.clock.advance({ minutes: 2 });
    }
    const wanted = [1, 2, 3, 4, 5].map((number) => ({ number, status: 503, gave_up: number === 5 }));
    expect(await attemptsOf(ven, id)).toMatchObject(wanted);
    expect(await statesOf(id, [ven.id])).toEqual(["failed"]);
    const calls = await callsAbout(receiver, id, 5);
    expect(new Set(calls.map(({ text }) => text)).size).toBe(1);
  });

  test("gets nothing more once its subscription is deleted, or its client revoked", async () => {
    const [one, two] = [await vtn.ven(), await vtn.ven()];
    const [first, second] = [await callbackReceiver(), await callbackReceiver()];
    const { id } = await one.subscriptions.made(asking(first.url));
    await two.subscriptions.made(asking(second.url));
    for (const receiver of [first, second]) receiver.answer = 500;
    const event = await bl.events.made(priceEvent((await program()).id));
    for (const [receiver, ven] of [
      [first, one],
      [second, two],
    ] as const) {
      await callsAbout(receiver, event.id, 1);
      await expect.poll(() => failuresOf(event.id, ven)).toEqual([1]);
    }
    await one.subscriptions.remove(id);
    await vtn.made(operator.revokeOpenadrClient, { params: { id: two.id } });
    vtn.clock.advance({ seconds: 10 });
    await expect
      .poll(async () => (await statesOf(event.id, [one.id, two.id])).every((state) => state === "dropped"))
      .toBe(true);
    for (const receiver of [first, second]) expect(await callsAbout(receiver, event.id, 1)).toHaveLength(1);
  });
});

const attemptsOf = async ({ id }: Pick<Secret31, "id">, objectId: string) =>
  (
    await vtn.database.pool.query(
      `select attempts.* from message_attempts as attempts join passing_messages as messages on messages.id = message_id
       where client_id = $1 and subject = $2 order by number`,
      [id, objectId],
    )
  ).rows;

const failuresOf = async (objectId: string, { id }: Pick<Secret31, "id">) =>
  (
    await vtn.database.pool.query("select failures from passing_messages where subject = $1 and client_id = $2", [
      objectId,
      id,
    ])
  ).rows.map(({ failures }) => failures);

const statesOf = async (objectId: string, clientIds: readonly string[]) =>
  (
    await vtn.database.pool.query("select state from passing_messages where subject = $1 and client_id = any($2)", [
      objectId,
      clientIds,
    ])
  ).rows.map(({ state }) => state);
