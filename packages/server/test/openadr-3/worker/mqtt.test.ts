import { operator } from "@curtail/contract";
import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { connectAsync } from "mqtt";
import { beforeAll, describe, expect, test } from "vitest";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { connectedTo, credentialsOf, topicsFor } from "../../support/mqtt-broker.js";
import {
  bl,
  blHears,
  broker,
  intervals,
  name,
  ofVen,
  prepare,
  programID,
  topicsOf,
  ven,
  venHears,
  venId,
  vtn,
} from "../../support/outside-broker.js";

describe.skipIf(withoutMosquitto !== null)("an outside broker (skipped without mosquitto)", () => {
  beforeAll(prepare);

  const lives = {
    PROGRAM: async () => {
      const { id } = await bl.programs.made({ programName: name("Program") });
      await bl.programs.update(id, { programName: name("Program") });
      await bl.programs.remove(id);
      return id;
    },
    EVENT: async () => {
      const { id } = await bl.events.made({ programID, intervals: intervals() });
      await bl.events.update(id, { programID, intervals: intervals([2]) });
      await bl.events.remove(id);
      return id;
    },
    RESOURCE: async () => {
      const body = { objectType: "VEN_RESOURCE_REQUEST", venID: venId, resourceName: name("Resource") };
      const { id } = await ven.resources.made(body);
      await ven.resources.update(id, { ...body, attributes: [{ type: "A", values: ["b"] }] });
      await ven.resources.remove(id);
      return id;
    },
    REPORT: async () => {
      const { id: eventID } = await bl.events.made({ programID, intervals: intervals() });
      const body = { eventID, clientName: "client", resources: [{ resourceName: "r", intervals: intervals() }] };
      const { id } = await ven.reports.made(body);
      await ven.reports.update(id, { ...body, clientName: "other" });
      await ven.reports.remove(id);
      return id;
    },
    SUBSCRIPTION: async () => {
      const { url } = await callbackReceiver();
      const objectOperations = [
        { objects: ["EVENT"], operations: ["CREATE"], callbackUrl: url, bearerToken: "secret" },
      ];
      const { id } = await ven.subscriptions.made({ clientName: "client", objectOperations });
      await ven.subscriptions.update(id, { clientName: "other", objectOperations });
      await ven.subscriptions.remove(id);
      return id;
    },
  };

  test.each([
    ["PROGRAM", "programs", ["programs", "vens/VEN/programs"]],
    ["EVENT", "events", ["programs/PROGRAM/events", "vens/VEN/events"]],
    ["RESOURCE", "resources", ["vens/VEN/resources"]],
    ["REPORT", "reports", []],
    ["SUBSCRIPTION", "subscriptions", []],
  ] as const)("hears of the life of a %s in order, on all its topics", async (type, collection, venTopics) => {
    const id = await lives[type]();
    const operations = ["CREATE", "UPDATE", "DELETE"];
    const heard = (await blHears.about(id, 3)).filter(({ topic }) => topic.startsWith(`${collection}/`));
    expect(heard.map(({ body }) => [body.objectType, body.operation])).toEqual(operations.map((each) => [type, each]));
    expect(heard.map(({ topic }) => topic)).toEqual(operations.map((each) => `${collection}/${each.toLowerCase()}`));
    expect(heard.every(({ retain }) => !retain)).toBe(true);
    expect(JSON.stringify(heard)).not.toContain("secret");
    const expected = venTopics.flatMap((topic) =>
      ofVen(topic.replace("VEN", venId).replace("PROGRAM", programID)).flatMap((path) =>
        operations.map((each) => `${path}/${each.toLowerCase()}`),
      ),
    );
    const told = await venHears.about(id, expected.length);
    expect(topicsOf(told)).toEqual(expected.sort());
    // A VEN is told one JSON, the object as it would read it.
    for (const { body } of told) expect(body).toMatchObject({ objectType: type, object: { id, objectType: type } });
  });

  test("tells a VEN only the targets that it was granted, and nothing that is for others", async () => {
    const granted = await vtn.ven({ targets: ["north"] });
    const hears = await connectedTo(broker.url, granted);
    await hears.subscribe(...(await topicsFor(granted, "programs")));
    const shared = await bl.programs.made({ programName: name("Program"), targets: ["north", "south"] });
    const foreign = await bl.programs.made({ programName: name("Program"), targets: ["south"] });
    const forAll = await bl.programs.made({ programName: name("Program") });
    const [told] = await hears.about(shared.id);
    expect(told?.body.object.targets).toEqual(["north"]);
    await hears.about(forAll.id);
    expect(hears.heard.filter(({ body }) => body.object.id === foreign.id)).toEqual([]);
    expect((await blHears.about(foreign.id))[0]?.body.object.targets).toEqual(["south"]);
  });

  test("refuses a VEN what is another's, what is everybody's, and what is business logic's", async () => {
    const other = await vtn.ven();
    const hears = await connectedTo(broker.url, other);
    for (const filter of [
      `clients/${ven.id}/programs/create`,
      "clients/+/programs/create",
      "#",
      "+/+",
      "programs/create",
    ])
      expect(await hears.subscribe(filter)).toEqual([128]);
    expect(await hears.subscribe(`clients/${other.id}/programs/#`)).toEqual([1]);
    const { id } = await bl.programs.made({ programName: name("Program") });
    expect(topicsOf(await hears.about(id))).toEqual([`clients/${other.id}/programs/create`]);
  });

  test("disconnects a client that is revoked, and refuses it from then on", async () => {
    const { accountId } = await vtn.newParticipant();
    const body = { name: name("VEN") };
    const { id, client_secret } = await vtn.made(operator.createOpenadrClient, { params: { id: accountId }, body });
    const client = await vtn.connected({ id, secret: client_secret ?? "" });
    const credentials = await credentialsOf(client);
    const hears = await connectedTo(broker.url, client, { reconnectPeriod: 0 });
    await vtn.made(operator.revokeOpenadrClient, { params: { id } });
    await expect.poll(() => hears.client.connected).toBe(false);
    await expect(connectAsync(broker.url, credentials, false)).rejects.toThrow(/not authorized/i);
  });

  test("that was away is told everything once it is back, in order", async () => {
    const { id } = await bl.programs.made({ programName: name("Program") });
    await blHears.about(id);
    await broker.stop();
    for (let step = 1; step <= 20; step++) await bl.programs.update(id, { programName: `${id} ${step}` });
    await broker.start();
    const heard = (await blHears.about(id, 21)).filter(({ topic }) => topic === "programs/update");
    expect(heard.map(({ body }) => body.object.programName)).toEqual(
      Array.from({ length: 20 }, (_, step) => `${id} ${step + 1}`),
    );
  });
});
