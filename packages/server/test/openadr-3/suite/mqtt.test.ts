import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { beforeAll, describe, expect, test } from "vitest";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { connectedTo, mosquittoWithUsers, type Subscriber, topicsFor } from "../../support/mqtt-broker.js";
import { type Client31, runningVtn, type Secret31 } from "../../support/openadr-3.js";

const intervals = (type: string, value: number) => [{ id: 0, payloads: [{ type, values: [value] }] }];

/** The notification of an operation, on one of the topics that end like this. */
const heardOf = async ({ heard }: Subscriber, operation: string, id: string, topic = "") => {
  const found = () =>
    heard.find((each) => each.body.operation === operation && each.body.object.id === id && each.topic.includes(topic));
  await expect.poll(found).toBeDefined();
  return found()?.body;
};

describe.skipIf(withoutMosquitto !== null)("MQTT (skipped without mosquitto)", () => {
  let bl: Client31;
  let ven: Client31 & Secret31;
  let blHears: Subscriber;
  let venHears: Subscriber;
  let venID: string;
  let programID: string;

  beforeAll(async () => {
    const broker = await mosquittoWithUsers();
    const vtn = await runningVtn(broker.settings);
    [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
    venID = (await ven.vens.made({ objectType: "VEN_VEN_REQUEST", venName: "ven1" })).id;
    // The suite targets a ven by its id, which is a target like any other here.
    await bl.vens.update(venID, { objectType: "BL_VEN_REQUEST", clientID: ven.id, venName: "ven1", targets: [venID] });
    programID = (await bl.programs.made({ programName: "Program1" })).id;
    [blHears, venHears] = await Promise.all([connectedTo(broker.url, bl), connectedTo(broker.url, ven)]);
    for (const of of ["reports", "subscriptions"] as const) await blHears.subscribe(...(await topicsFor(bl, of)));
    for (const [of, id] of [
      ["programs", undefined],
      ["programEvents", programID],
      ["ven", venID],
      ["venResources", venID],
      ["venPrograms", venID],
      ["venEvents", venID],
    ] as const)
      await venHears.subscribe(...(await topicsFor(ven, of, id)));
  });

  const event = (value: number, more = {}) => ({ programID, intervals: intervals("PRICE", value), ...more });

  test("tells a VEN that a program was created, with its name", async () => {
    const { id } = await bl.programs.made({ programName: "MQTTTestProgram" });
    expect(await heardOf(venHears, "CREATE", id)).toMatchObject({
      objectType: "PROGRAM",
      object: { objectType: "PROGRAM", programName: "MQTTTestProgram" },
    });
  });

  test("tells a VEN that a program was updated", async () => {
    const { id } = await bl.programs.made({ programName: "MQTTUpdateProgram" });
    await bl.programs.update(id, { programName: "MQTTUpdateProgram", programDescriptions: [] });
    expect(await heardOf(venHears, "UPDATE", id)).toMatchObject({ objectType: "PROGRAM" });
  });

  test("tells a VEN that a program was deleted", async () => {
    const { id } = await bl.programs.made({ programName: "MQTTDeleteTest" });
    await bl.programs.remove(id);
    expect(await heardOf(venHears, "DELETE", id)).toMatchObject({ objectType: "PROGRAM" });
  });

  test("tells a VEN that an event of a program was created", async () => {
    const { id } = await bl.events.made(event(1.5));
    expect(await heardOf(venHears, "CREATE", id)).toMatchObject({ objectType: "EVENT", object: { programID } });
  });

  test("tells a VEN that an event was updated", async () => {
    const { id } = await bl.events.made(event(1));
    await bl.events.update(id, event(2, { eventName: "updated-event" }));
    expect(await heardOf(venHears, "UPDATE", id)).toMatchObject({ objectType: "EVENT" });
  });

  test("tells a VEN that an event was deleted", async () => {
    const { id } = await bl.events.made(event(1));
    await bl.events.remove(id);
    expect(await heardOf(venHears, "DELETE", id)).toMatchObject({ objectType: "EVENT" });
  });

  test("tells a VEN that business logic updated its ven", async () => {
    await bl.vens.update(venID, {
      objectType: "BL_VEN_REQUEST",
      clientID: ven.id,
      venName: "ven1",
      targets: [venID],
      attributes: [{ type: "MQTT_TEST", values: ["v1"] }],
    });
    expect(await heardOf(venHears, "UPDATE", venID)).toMatchObject({ objectType: "VEN" });
  });

  const resource = (resourceName: string) =>
    ven.resources.made({ objectType: "VEN_RESOURCE_REQUEST", venID, resourceName });

  test("tells a VEN that its resource was created", async () => {
    const { id } = await resource("MQTTResource1");
    expect(await heardOf(venHears, "CREATE", id)).toMatchObject({ objectType: "RESOURCE" });
  });

  test("tells a VEN that business logic updated its resource", async () => {
    const { id } = await resource("MQTTResource3");
    await bl.resources.update(id, {
      objectType: "BL_RESOURCE_REQUEST",
      clientID: ven.id,
      venID,
      resourceName: "MQTTResource3",
      attributes: [{ type: "UPDATED", values: ["yes"] }],
    });
    expect(await heardOf(venHears, "UPDATE", id)).toMatchObject({ objectType: "RESOURCE" });
  });

  test("tells a VEN that its resource was deleted", async () => {
    const { id } = await resource("MQTTResource2");
    await bl.resources.remove(id);
    expect(await heardOf(venHears, "DELETE", id)).toMatchObject({ objectType: "RESOURCE" });
  });

  const report = async (reportName: string) => {
    const { id: eventID } = await bl.events.made(event(1));
    const resources = [{ resourceName: "r1", intervals: intervals("USAGE", 100) }];
    const body = { eventID, clientName: "test-client", reportName, resources };
    return { ...(await ven.reports.made(body)), body };
  };

  test("tells business logic that a report was created", async () => {
    const { id } = await report("MQTTReport");
    expect(await heardOf(blHears, "CREATE", id)).toMatchObject({ objectType: "REPORT" });
  });

  test("tells business logic that a report was updated", async () => {
    const { id, body } = await report("MQTTReportUpd");
    await ven.reports.update(id, { ...body, reportName: "MQTTReportUpdated" });
    expect(await heardOf(blHears, "UPDATE", id)).toMatchObject({ objectType: "REPORT" });
  });

  test("tells business logic that a report was deleted", async () => {
    const { id } = await report("MQTTReportDel");
    await ven.reports.remove(id);
    expect(await heardOf(blHears, "DELETE", id)).toMatchObject({ objectType: "REPORT" });
  });

  const subscription = async (clientName: string) => {
    const { url } = await callbackReceiver();
    const entry = { objects: ["EVENT"], operations: ["CREATE"], callbackUrl: url, bearerToken: "tok" };
    return ven.subscriptions.made({ programID, clientName, objectOperations: [entry] });
  };

  test("tells business logic that a subscription was created", async () => {
    const { id } = await subscription("MQTTSubCreate");
    expect(await heardOf(blHears, "CREATE", id)).toMatchObject({ objectType: "SUBSCRIPTION" });
  });

  test("tells business logic that a subscription was deleted", async () => {
    const { id } = await subscription("MQTTSubDelete");
    await ven.subscriptions.remove(id);
    expect(await heardOf(blHears, "DELETE", id)).toMatchObject({ objectType: "SUBSCRIPTION" });
  });

  test("tells a VEN of a program for it, on the programs of its ven", async () => {
    const { id } = await bl.programs.made({ programName: "MQTTTargetedProg", targets: [venID] });
    expect(await heardOf(venHears, "CREATE", id, `vens/${venID}/programs`)).toMatchObject({
      objectType: "PROGRAM",
      object: { programName: "MQTTTargetedProg" },
    });
  });

  test("tells a VEN of an event for it, on the events of its ven", async () => {
    const { id } = await bl.events.made(event(1.5, { targets: [venID] }));
    expect(await heardOf(venHears, "CREATE", id, `vens/${venID}/events`)).toMatchObject({ objectType: "EVENT" });
  });
});
