import { beforeAll, describe, expect, test } from "vitest";
import { type CallbackReceiver, callbackReceiver } from "../../support/callback-receiver.js";
import {
  asking,
  bl,
  byOrder,
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
  test("is a GET with a random echo, and adds to the query that the address has", async () => {
    const receiver = await callbackReceiver();
    const ven = await vtn.ven();
    const body = asking(`${receiver.url}?tenant=7`, { bearerToken: "secret-of-the-client" });
    await ven.subscriptions.made(body);
    await ven.subscriptions.made(body);
    const [first, second] = receiver.challenges.map((url) => new URL(url, "http://receiver").searchParams);
    expect(first?.get("tenant")).toBe("7");
    expect(first?.get("echo")).toMatch(/^[0-9a-f]{48}$/);
    expect(first?.get("echo")).not.toBe(second?.get("echo"));
  });

  test("is repeated for a new address of a subscription, not for one that it had", async () => {
    const [one, two] = [await callbackReceiver(), await callbackReceiver()];
    const ven = await vtn.ven();
    const { id } = await ven.subscriptions.made(asking(one.url));
    await ven.subscriptions.update(id, asking(one.url, { operations: ["DELETE"] }));
    expect(one.challenges).toHaveLength(1);
    two.echo = (_, response) => void response.end("no");
    expect(await ven.subscriptions.update(id, asking(two.url))).toMatchObject({ status: 400 });
    expect((await ven.subscriptions.get(id)).body.objectOperations[0].callbackUrl).toBe(one.url);
  });

  test("is not sent for more entries than a subscription may have", async () => {
    const receiver = await callbackReceiver();
    const [entry] = asking(receiver.url).objectOperations;
    const body = { clientName: "many", objectOperations: Array.from({ length: 21 }, () => entry) };
    expect(await (await vtn.ven()).subscriptions.create(body)).toMatchObject({ status: 400 });
    expect(receiver.challenges).toEqual([]);
  });
});

describe("a notification", () => {
  test("of the creation and deletion of a program reaches a subscription to another program", async () => {
    const { id: programID } = await program();
    const receiver = await subscribed(await vtn.ven(), {
      programID,
      objects: ["PROGRAM"],
      operations: ["CREATE", "DELETE"],
    });
    const { id } = await program();
    await bl.programs.remove(id);
    expect((await receiver.notified(2)).map(({ body }) => [body.operation, body.objectType, body.object.id])).toEqual([
      ["CREATE", "PROGRAM", id],
      ["DELETE", "PROGRAM", id],
    ]);
  });

  test("of an event in another program does not reach it", async () => {
    const { id: programID } = await program();
    const receiver = await subscribed(await vtn.ven(), { programID, objects: ["EVENT", "PROGRAM"] });
    await bl.events.made(priceEvent((await program()).id));
    await marker(receiver);
    expect(receiver.calls.filter(({ body }) => body.objectType === "EVENT")).toEqual([]);
  });
});

describe("privacy of notifications", () => {
  test("a VEN hears of no ven, resource, report or subscription of another", async () => {
    const objects = ["VEN", "RESOURCE", "REPORT", "SUBSCRIPTION", "PROGRAM"];
    const [one, two] = [await vtn.ven(), await vtn.ven()];
    const receiver = await subscribed(one, { objects, operations: ["CREATE", "UPDATE"] });
    await subscribed(two, { objects });
    await marker(receiver);
    const { rows } = await vtn.database.pool.query("select id from openadr3_objects where client_id = $1", [two.id]);
    const foreign = new Set(rows.map(({ id }) => id));
    expect(receiver.calls.filter(({ body }) => foreign.has(body.object.id))).toEqual([]);
  });
});

describe("a receiver that fails", () => {
  test("holds up later news of the same object only", async () => {
    const receiver = await subscribed(await vtn.ven(), { operations: ["CREATE", "UPDATE"] });
    const { id: programID } = await program();
    const stuck = await bl.events.made(priceEvent(programID, { eventName: "stuck" }));
    await callsAbout(receiver, stuck.id, 1);
    receiver.answer = ({ body }, response) => void response.writeHead(body.object.id === stuck.id ? 500 : 200).end();
    await bl.events.update(stuck.id, priceEvent(programID, { eventName: "first" }));
    await callsAbout(receiver, stuck.id, 2);
    await bl.events.update(stuck.id, priceEvent(programID, { eventName: "second" }));
    const { id } = await bl.events.made(priceEvent(programID));
    await expect.poll(() => receiver.calls.map(({ body }) => body.object.id)).toContain(id);
    expect(receiver.calls.map(({ body }) => body.object.eventName)).not.toContain("second");
    receiver.answer = 200;
    vtn.clock.advance({ seconds: 10 });
    await expect.poll(() => receiver.calls.map(({ body }) => body.object.eventName)).toContain("second");
  });
});

describe("several processes, and a restart", () => {
  test("notify of each change once", async () => {
    await vtn.another();
    const receiver = await subscribed(await vtn.ven());
    const { id: programID } = await program();
    const events = await Promise.all(Array.from({ length: 10 }, () => bl.events.made(priceEvent(programID))));
    const ids = events.map(({ id }) => id);
    const told = () => receiver.calls.map(({ body }) => body.object.id).filter((id) => ids.includes(id));
    await expect.poll(() => told().length).toBeGreaterThanOrEqual(10);
    await marker(await subscribed(await vtn.ven(), { objects: ["PROGRAM"] }));
    expect(told().toSorted(byOrder)).toEqual(ids.toSorted(byOrder));
  });
});

describe("the challenge of a callback", () => {
  test.each([
    [
      "another value",
      (receiver: CallbackReceiver) => (receiver.echo = (_, response) => void response.end("yes")),
      "no_echo",
    ],
    [
      "another status",
      (receiver: CallbackReceiver) => (receiver.echo = (value, response) => void response.writeHead(201).end(value)),
      "status_201",
    ],
    [
      "a redirect",
      (receiver: CallbackReceiver) =>
        (receiver.echo = (value, response) =>
          void response.writeHead(302, { location: `${receiver.url}?echo=${value}` }).end()),
      "too_many_redirects",
    ],
  ])("that is answered with %s creates nothing", async (_, prepare, error) => {
    const receiver = await callbackReceiver();
    prepare(receiver);
    const ven = await vtn.ven();
    expect(await ven.subscriptions.create(asking(receiver.url))).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringMatching(
          new RegExp(`^objectOperations\\[0\\]\\.callbackUrl did not answer .* \\(${error}\\)`),
        ),
      },
    });
    expect((await ven.subscriptions.search()).body).toEqual([]);
  });
});

describe("a notification", () => {
  test("has no authorization where the subscriber gave no token", async () => {
    const receiver = await subscribed(await vtn.ven());
    await bl.events.made(priceEvent((await program()).id));
    expect((await receiver.notified(1))[0]?.headers.authorization).toBeUndefined();
  });

  test("follows each creation, update and deletion, in their order", async () => {
    const receiver = await subscribed(await vtn.ven(), { operations: ["CREATE", "UPDATE", "DELETE"] });
    const { id: programID } = await program();
    const { id } = await bl.events.made(priceEvent(programID));
    for (const eventName of ["one", "two", "three"]) await bl.events.update(id, priceEvent(programID, { eventName }));
    await bl.events.remove(id);
    const calls = await callsAbout(receiver, id, 5);
    expect(calls.map(({ body }) => [body.operation, body.object.eventName])).toEqual([
      ["CREATE", undefined],
      ["UPDATE", "one"],
      ["UPDATE", "two"],
      ["UPDATE", "three"],
      ["DELETE", "three"],
    ]);
    const times = calls.slice(0, 4).map(({ body }) => body.object.modificationDateTime);
    expect([...new Set(times)].toSorted(byOrder)).toEqual(times);
  });

  test("of a report reaches business logic, filtered by the program of its event", async () => {
    const { id: programID } = await program();
    const event = await bl.events.made(priceEvent(programID));
    const receiver = await subscribed(bl, {
      programID,
      objects: ["REPORT"],
      operations: ["CREATE", "UPDATE", "DELETE"],
    });
    const ven = await vtn.ven();
    const report = { eventID: event.id, clientName: "ven", resources: [] };
    const { id } = await ven.reports.made(report);
    await ven.reports.update(id, { ...report, reportName: "second" });
    await ven.reports.remove(id);
    expect((await receiver.notified(3)).map(({ body }) => body.operation)).toEqual(["CREATE", "UPDATE", "DELETE"]);
  });
});

describe("privacy of notifications", () => {
  test.each([
    [undefined, undefined],
    [undefined, ["group1"]],
    [["group1"], undefined],
    [["group1"], ["group1"]],
  ])("a subscription with the targets %j of a granted VEN hears of an event with %j", async (asked, targets) => {
    const receiver = await subscribed(await grantedTo("group1"), asked === undefined ? {} : { targets: asked });
    const event = await bl.events.made(priceEvent((await program()).id, targets === undefined ? {} : { targets }));
    await expect.poll(() => receiver.calls.map(({ body }) => body.object.id)).toContain(event.id);
  });
});
