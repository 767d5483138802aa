import { operator } from "@curtail/contract";
import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { connectAsync } from "mqtt";
import { beforeAll, describe, expect, test } from "vitest";
import { PROJECTION } from "../../../src/openadr-3/domain/projection.js";
import { OUTSIDE_BROKER } from "../../../src/openadr-3/operations/broker-conditions.js";
import { callbackReceiver } from "../../support/callback-receiver.js";
import { caughtUp } from "../../support/caught-up.js";
import { newProgram } from "../../support/dispatching.js";
import {
  connectedTo,
  credentialsOf,
  mosquittoWithUsers,
  type Subscriber,
  type TestBroker,
  topicsFor,
  venIdOf,
} from "../../support/mqtt-broker.js";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../../support/openadr-3.js";

const intervals = (values: readonly number[] = [1]) => [{ id: 0, payloads: [{ type: "PRICE", values: [...values] }] }];

const topicsOf = (heard: readonly { readonly topic: string }[]) => [...new Set(heard.map(({ topic }) => topic))].sort();

let count = 0;
const name = (what: string) => `${what} ${++count}`;

describe.skipIf(withoutMosquitto !== null)("an outside broker (skipped without mosquitto)", () => {
  let broker: TestBroker;
  let vtn: Vtn;
  let bl: Client31;
  let blHears: Subscriber;
  let ven: Client31 & Secret31;
  let venHears: Subscriber;
  let venId: string;
  let programID: string;

  beforeAll(async () => {
    broker = await mosquittoWithUsers({ keepsSessions: true });
    vtn = await runningVtn(broker.settings);
    [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
    venId = await venIdOf(ven);
    programID = (await bl.programs.made({ programName: "Program1" })).id;
    // With a session that the broker keeps: where it was away, the service may be back at it first.
    const kept = { clean: false, clientId: "business-logic" };
    [blHears, venHears] = await Promise.all([connectedTo(broker.url, bl, kept), connectedTo(broker.url, ven)]);
    for (const of of ["programs", "events", "reports", "subscriptions", "vens", "resources"] as const)
      await blHears.subscribe(...(await topicsFor(bl, of)));
    for (const [of, id] of [
      ["programs", undefined],
      ["program", programID],
      ["programEvents", programID],
      ["ven", venId],
      ["venPrograms", venId],
      ["venEvents", venId],
      ["venResources", venId],
    ] as const)
      await venHears.subscribe(...(await topicsFor(ven, of, id)));
  });

  const ofVen = (...topics: string[]) => topics.map((topic) => `clients/${ven.id}/${topic}`);

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

  test("hears of the change of a ven and of one program, on their own topics", async () => {
    await ven.vens.update(venId, { objectType: "VEN_VEN_REQUEST", venName: name("ven") });
    const told = await venHears.about(venId);
    expect(topicsOf(told)).toEqual(ofVen(`vens/${venId}/update`));
    await bl.programs.update(programID, { programName: name("Program") });
    const updates = (await venHears.about(programID, 3)).filter(({ body }) => body.operation === "UPDATE");
    expect(topicsOf(updates)).toEqual(
      ofVen("programs/update", `programs/${programID}/update`, `vens/${venId}/programs/update`).sort(),
    );
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

  test("tells a VEN that an event is gone which it sees no more, and nobody else", async () => {
    const [north, south] = [await vtn.ven({ targets: ["north"] }), await vtn.ven({ targets: ["south"] })];
    const hears = await Promise.all([north, south].map((each) => connectedTo(broker.url, each)));
    for (const [index, each] of [north, south].entries()) {
      await hears[index]?.subscribe(...(await topicsFor(each, "venEvents", await venIdOf(each))));
      await hears[index]?.subscribe(...(await topicsFor(each, "programEvents", programID)));
    }
    const { id } = await bl.events.made({ programID, intervals: intervals(), targets: ["north", "south"] });
    await bl.events.update(id, { programID, intervals: intervals([2]), targets: ["south"] });
    const operations = async (each: Subscriber | undefined, many: number) =>
      (await each?.about(id, many))?.map(({ body }) => [body.operation, body.object.targets]);
    const [created, deleted] = [
      ["CREATE", ["north"]],
      ["DELETE", ["north"]],
    ];
    expect((await operations(hears[0], 4))?.toSorted()).toEqual([created, created, deleted, deleted]);
    expect(new Set((await operations(hears[1], 4))?.map(([operation]) => operation))).toEqual(
      new Set(["CREATE", "UPDATE"]),
    );
    await bl.events.remove(id);
    expect(new Set((await operations(hears[0], 4))?.map(([operation]) => operation))).toEqual(
      new Set(["CREATE", "DELETE"]),
    );
    expect(
      (await blHears.about(id, 3)).filter(({ topic }) => topic.startsWith("events/")).map(({ topic }) => topic),
    ).toEqual(["events/create", "events/update", "events/delete"]);
  });

  test("tells a VEN nothing of a program that its account has nothing in", async () => {
    const [enrolled, other] = [await vtn.newParticipant(), await vtn.newParticipant()];
    const [sees, foreign] = [await vtn.ven({ participant: enrolled }), await vtn.ven({ participant: other })];
    const programId = await newProgram(vtn, [enrolled], { name: name("Program") });
    const [seesHears, foreignHears] = [await connectedTo(broker.url, sees), await connectedTo(broker.url, foreign)];
    await seesHears.subscribe(...(await topicsFor(sees, "programs")));
    await foreignHears.subscribe(...(await topicsFor(foreign, "programs")));
    // Renamed before its object is made, it would be made with its new name.
    await caughtUp(vtn.database.pool, PROJECTION);
    await vtn.made(operator.changeProgram, { params: { id: programId }, body: { name: name("Renamed") } });
    const { id } = await bl.programs.made({ programName: name("Program") });
    await expect.poll(() => seesHears.heard.filter(({ topic }) => topic.endsWith("update"))).toHaveLength(1);
    await foreignHears.about(id);
    const { id: after } = await bl.programs.made({ programName: name("Program") });
    await foreignHears.about(after);
    expect(foreignHears.heard.filter(({ body }) => body.object.id !== id && body.object.id !== after)).toEqual([]);
  });

  test("tells a VEN of a program for its account alone", async () => {
    const participant = await vtn.newParticipant();
    const meant = await vtn.ven({ participant });
    const hears = await connectedTo(broker.url, meant);
    await hears.subscribe(...(await topicsFor(meant, "programs")));
    const { id } = await bl.programs.made({ programName: name("Program"), targets: [participant.accountId] });
    expect((await hears.about(id))[0]?.body.object.targets).toEqual([participant.accountId]);
    expect(venHears.heard.filter(({ body }) => body.object.id === id)).toEqual([]);
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

  test("takes nothing from a VEN or business logic", async () => {
    const topic = `clients/${ven.id}/programs/create`;
    const forged = JSON.stringify({ objectType: "PROGRAM", operation: "CREATE", object: { id: "forged" } });
    for (const { client } of [venHears, blHears]) await client.publishAsync(topic, forged, { qos: 1 });
    const { id } = await bl.programs.made({ programName: name("Program") });
    await venHears.about(id);
    expect(venHears.heard.filter(({ body }) => body.object.id === "forged")).toEqual([]);
  });

  test("refuses who has no user, a wrong password, or another's", async () => {
    const { username } = await credentialsOf(ven);
    const { password } = await credentialsOf(bl);
    for (const credentials of [{}, { username, password: "wrong" }, { username, password }])
      await expect(connectAsync(broker.url, credentials, false)).rejects.toThrow(/not authorized/i);
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

  test("is told a change again if that it was told could not be recorded", async () => {
    const { pool } = vtn.database;
    await pool.query(`create function refuse_record() returns trigger language plpgsql as $$
      begin raise exception 'the record fails'; end $$`);
    await pool.query(`create trigger refuses before update of seen on followers
      for each row when (new.name = '${OUTSIDE_BROKER}') execute function refuse_record()`);
    const { id } = await bl.programs.made({ programName: name("Program") });
    await blHears.about(id, 2);
    await pool.query("drop trigger refuses on followers");
    const { id: next } = await bl.programs.made({ programName: name("Program") });
    await blHears.about(next);
    await caughtUp(pool, OUTSIDE_BROKER);
  });

  test("is told each change once by two processes", async () => {
    await vtn.another();
    const ids = [];
    for (let step = 0; step < 20; step++) ids.push((await bl.programs.made({ programName: name("Program") })).id);
    for (const id of ids) {
      const heard = (await blHears.about(id)).filter(({ topic }) => topic === "programs/create");
      expect(heard.length).toBe(1);
    }
  });
});
