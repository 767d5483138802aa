import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { storesOver } from "../../src/app/stores.js";
import { recordCreation } from "../../src/openadr-3/operations/record-object.js";
import { callbackReceiver } from "../support/callback-receiver.js";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../support/openadr-3.js";
import { testSecretBox } from "../support/secret-box.js";
import { storedObject } from "../support/stored-objects.js";

let vtn: Vtn;
let bl: Client31;
let ven: Client31 & Secret31;
let programID: string;
let count = 0;

beforeAll(async () => {
  vtn = await runningVtn();
  [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
});

beforeEach(async () => {
  programID = (await bl.programs.made({ programName: `Program ${++count}` })).id;
});

const changesOf = async (id: string) => {
  const { rows } = await vtn.database.pool.query(
    "select operation, object, targets, written_by from openadr3_changes where object_id = $1 order by seq",
    [id],
  );
  return rows;
};

describe("an object", () => {
  test("has an id, its times and its type from the VTN, whatever the request says of them", async () => {
    const given = { id: "mine", createdDateTime: "2020-01-01T00:00:00Z", modificationDateTime: "2020-01-01T00:00:00Z" };
    const made = await bl.programs.made({ programName: `Own ${++count}`, ...given, objectType: "EVENT" });
    const now = vtn.clock.now().toISOString();
    expect(made).toMatchObject({
      id: expect.stringMatching(/^oap_[0-9a-z]{16}$/),
      createdDateTime: now,
      modificationDateTime: now,
      objectType: "PROGRAM",
    });
  });

  test("is replaced as a whole by PUT, a moment later each time, and keeps its place and creation", async () => {
    const event = { programID, eventName: "before", priority: 1 };
    const made = await bl.events.made(event);
    const once = (await bl.events.update(made.id, { programID, eventName: "after" })).body;
    expect(once).toMatchObject({ id: made.id, createdDateTime: made.createdDateTime, eventName: "after" });
    expect(once.priority).toBeUndefined();
    const twice = (await bl.events.update(made.id, { programID })).body;
    const [first, second, third] = [made, once, twice].map((each) => Date.parse(each.modificationDateTime));
    expect(second).toBeGreaterThan(Number(first));
    expect(third).toBeGreaterThan(Number(second));
  });

  test("moves an event to another program by PUT, where it is found from then on", async () => {
    const { id } = await bl.events.made({ programID });
    const other = (await bl.programs.made({ programName: `Program ${++count}` })).id;
    await bl.events.update(id, { programID: other });
    expect((await bl.events.search({ programID })).body).toEqual([]);
    expect((await bl.events.search({ programID: other })).body).toMatchObject([{ id }]);
    expect(await bl.events.update(id, { programID: "unknown" })).toMatchObject({ status: 400 });
  });

  test("has nothing of what the specification does not define, and no members that are null", async () => {
    const made = await bl.events.made({
      programID,
      eventName: null,
      myPrivateObject: { deep: [1] },
      intervalPeriod: null,
      targets: null,
      intervals: [{ id: 0, mine: true, payloads: [{ type: "PRICE", values: [1, "a", true, { x: 1, y: 2, z: 3 }] }] }],
    });
    const { id: _id, createdDateTime: _created, modificationDateTime: _modified, ...rest } = made;
    expect(rest).toEqual({
      objectType: "EVENT",
      programID,
      intervals: [{ id: 0, payloads: [{ type: "PRICE", values: [1, "a", true, { x: 1, y: 2 }] }] }],
    });
  });

  test("keeps every form of a descriptor", async () => {
    const payloadDescriptors = [
      { objectType: "EVENT_PAYLOAD_DESCRIPTOR", payloadType: "PRICE", units: "KWH", currency: "USD" },
      {
        objectType: "REPORT_PAYLOAD_DESCRIPTOR",
        payloadType: "USAGE",
        readingType: "DIRECT_READ",
        units: "KWH",
        accuracy: 0.5,
        confidence: 100,
      },
    ];
    const program = {
      programName: `Program ${++count}`,
      intervalPeriod: { start: "2026-07-01T18:00:00+02:00", duration: "P1Y", randomizeStart: "PT5M" },
      programDescriptions: [{ URL: "https://example.com/program" }],
      payloadDescriptors,
      attributes: [{ type: "COUNTRY", values: ["US"] }],
      targets: ["group-1"],
    };
    expect(await bl.programs.made(program)).toMatchObject(program);
    const reportDescriptors = [
      {
        payloadType: "DEMAND",
        readingType: "DIRECT_READ",
        units: "KW",
        targets: ["group-1"],
        aggregate: false,
        startInterval: -1,
        numIntervals: 5,
        historical: false,
        frequency: 1,
        repeat: -1,
        reportIntervals: "OPEN_INTERVALS",
      },
    ];
    expect((await bl.events.made({ programID, reportDescriptors })).reportDescriptors).toEqual(reportDescriptors);
  });

  test("has times of RFC 3339, also where the User Guide writes `now` without an offset", async () => {
    const intervals = [
      { id: 0, intervalPeriod: { start: "0001-01-01", duration: "PT1H" }, payloads: [] },
      { id: 1, intervalPeriod: { start: "0001-01-01T00:00:00", duration: "PT1H" }, payloads: [] },
    ];
    const made = await bl.events.made({ programID, intervals });
    expect(made.intervals.map((each: { intervalPeriod: { start: string } }) => each.intervalPeriod.start)).toEqual([
      "0001-01-01T00:00:00Z",
      "0001-01-01T00:00:00Z",
    ]);
  });
});

describe("each change", () => {
  test("is kept in its transaction, as it is told, with the client that made it", async () => {
    const { id } = await bl.programs.made({ programName: "First", targets: ["group-1"] });
    await bl.programs.update(id, { programName: "Second" });
    const last = (await bl.programs.get(id)).body;
    await bl.programs.remove(id);
    const changes = await changesOf(id);
    expect(changes).toMatchObject([
      { operation: "CREATE", targets: ["group-1"], object: { programName: "First" } },
      { operation: "UPDATE", targets: [], object: last },
      { operation: "DELETE", targets: [], object: last },
    ]);
    expect(new Set(changes.map(({ written_by }) => written_by)).size).toBe(1);
  });

  test("that is refused leaves none", async () => {
    const { id, programName } = (await bl.programs.get(programID)).body;
    const other = (await bl.programs.made({ programName: `Program ${++count}` })).id;
    expect(await bl.programs.update(other, { programName })).toMatchObject({ status: 409 });
    expect(await bl.programs.create({ programName })).toMatchObject({ status: 409 });
    expect(await changesOf(other)).toHaveLength(1);
    expect(await changesOf(id)).toHaveLength(1);
  });

  test("of a program that is deleted ends with its events, their reports and the subscriptions to it", async () => {
    const { id: eventID } = await bl.events.made({ programID, targets: [] });
    const { id: report } = await ven.reports.made({ eventID, clientName: "ven", resources: [] });
    const { url: callbackUrl } = await callbackReceiver();
    const operation = { objects: ["EVENT"], operations: ["CREATE"], callbackUrl };
    const { id: subscription } = await ven.subscriptions.made({
      clientName: "ven",
      programID,
      objectOperations: [operation],
    });
    expect(await bl.programs.remove(programID)).toMatchObject({ status: 200, body: { id: programID } });
    expect(await bl.events.get(eventID)).toMatchObject({ status: 404 });
    expect(await ven.reports.get(report)).toMatchObject({ status: 404 });
    expect(await ven.subscriptions.get(subscription)).toMatchObject({ status: 404 });
    for (const id of [eventID, report, subscription]) expect((await changesOf(id)).at(-1)?.operation).toBe("DELETE");
  });

  test("of a ven that is deleted ends with its resources", async () => {
    const made = { objectType: "BL_VEN_REQUEST", clientID: `client ${++count}`, venName: `ven ${count}` };
    const { id: venID } = await bl.vens.made(made);
    const resource = { objectType: "BL_RESOURCE_REQUEST", clientID: "c", venID, resourceName: "r" };
    const { id } = await bl.resources.made(resource);
    expect(await bl.vens.remove(venID)).toMatchObject({ status: 200 });
    expect(await bl.resources.get(id)).toMatchObject({ status: 404 });
  });
});

describe("events that have ended", () => {
  test("are left out only if a client asks for active ones", async () => {
    const start = vtn.clock.now().toISOString();
    const intervals = [{ id: 0, payloads: [] }];
    const { id } = await bl.events.made({ programID, intervals, intervalPeriod: { start, duration: "PT5M" } });
    const { id: endless } = await bl.events.made({
      programID,
      intervals,
      intervalPeriod: { start, duration: "P9999Y" },
    });
    const cancelled = { start: "0001-01-01T00:00:00Z", duration: "PT0S" };
    const { id: over } = await bl.events.made({ programID, intervals, intervalPeriod: cancelled });
    const ids = async (query: object) =>
      (await ven.events.search({ programID, ...query })).body.map((event: { id: string }) => event.id);
    expect(await ids({ active: true })).toEqual([id, endless]);
    expect(await ids({ active: false })).toEqual([id, endless, over]);
    vtn.clock.advance({ minutes: 5 });
    expect(await ids({ active: true })).toEqual([endless]);
    await bl.events.update(id, { programID, intervals, intervalPeriod: { start, duration: "PT6M" } });
    expect(await ids({ active: true })).toEqual([id, endless]);
  });
});

const request = (name: string) => ({ objectType: "BL_VEN_REQUEST", clientID: `c ${++count}`, venName: name });

describe("names", () => {
  test("of vens are unique, and resources may share one if their vens differ", async () => {
    const one = await bl.vens.made(request("Same name"));
    expect(await bl.vens.create(request("Same name"))).toMatchObject({ status: 409 });
    const other = await bl.vens.made(request("Another name"));
    const resource = { objectType: "BL_RESOURCE_REQUEST", clientID: "c", resourceName: "meter" };
    await bl.resources.made({ ...resource, venID: one.id });
    await bl.resources.made({ ...resource, venID: other.id });
    expect((await bl.resources.search({ resourceName: "meter" })).body).toHaveLength(2);
  });
});

describe("the ven of a client", () => {
  test("is there from the start, taken over by the client's first POST, and cannot be deleted", async () => {
    const own = await vtn.ven({ name: "Store 12", targets: ["group-1"] });
    const [made] = (await own.vens.search()).body;
    expect(made).toMatchObject({ venName: "Store 12", clientID: own.id, targets: ["group-1"] });
    const attributes = [{ type: "MODEL", values: ["X1"] }];
    const request = { objectType: "VEN_VEN_REQUEST", venName: "gateway", attributes };
    expect(await own.vens.create(request)).toMatchObject({
      status: 201,
      body: { id: made.id, venName: "gateway", attributes, targets: ["group-1"] },
    });
    expect(await own.vens.create(request)).toMatchObject({ status: 409 });
    // DELETE has no 409 in the specification.
    const kept = {
      status: 403,
      body: { detail: "it belongs to a client of the service, which cannot be deleted here" },
    };
    expect(await own.vens.remove(made.id)).toMatchObject(kept);
    expect(await bl.vens.remove(made.id)).toMatchObject(kept);
    const moved = { objectType: "BL_VEN_REQUEST", clientID: "somebody", venName: "gateway" };
    expect(await bl.vens.update(made.id, moved)).toMatchObject({ status: 409 });
  });

  test("gets another name if that of the client is taken", async () => {
    await vtn.ven({ name: "Taken" });
    const own = await vtn.ven({ name: "Taken" });
    expect((await own.vens.search()).body[0].venName).toBe(`Taken (${own.id})`);
  });
});

describe("an object that follows one of the service", () => {
  test("cannot be changed or deleted by clients", async () => {
    const stores = storesOver(vtn.database.pool, testSecretBox);
    const at = vtn.clock.now();
    const followed = storedObject(`oap_followed${++count}`, {
      name: "Followed",
      body: { programName: "Followed" },
      source: { kind: "program", id: "prg_1" },
      createdAt: at,
    });
    await recordCreation(stores, followed, null);
    expect(await ven.programs.get(followed.id)).toMatchObject({ status: 200, body: { programName: "Followed" } });
    expect(await bl.programs.update(followed.id, { programName: "Other" })).toMatchObject({
      status: 409,
      body: { detail: "it follows a program of the service, which cannot be changed here" },
    });
    expect(await bl.programs.remove(followed.id)).toMatchObject({ status: 403 });
    // What clients write may refer to it.
    expect(await bl.events.create({ programID: followed.id })).toMatchObject({ status: 201 });
  });
});
