import { beforeAll, describe, expect, test } from "vitest";
import { type Client31, runningVtn, type Secret31, type Vtn } from "../support/openadr-3.js";

let vtn: Vtn;
let bl: Client31;
let ven: Client31 & Secret31;
let venID: string;
let count = 0;

beforeAll(async () => {
  vtn = await runningVtn();
  [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
  venID = (await ven.vens.search()).body[0].id;
});

const refused = (detail: string) => ({ status: 400, body: { detail } });

const methods = async (method: string, path: string) => {
  const response = await fetch(`${vtn.vtnUrl}${path}`, { method });
  const body = await response.json();
  expect(body).toMatchObject({ status: response.status, title: "Method Not Allowed" });
  return [response.status, response.headers.get("allow")];
};

const prices = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    intervalPeriod: { start: new Date(Date.UTC(2026, 0, 1) + id * 3_600_000).toISOString(), duration: "PT1H" },
    payloads: [{ type: "PRICE", values: [0.1 + (id % 24) / 100] }],
  }));

const asked = (encoding: string) => ({ authorization: `Bearer ${bl.token}`, "accept-encoding": encoding });

const hintOf = ({ headers }: { readonly headers: Headers }): string | null => headers.get("curtail-hint");

describe("what was read", () => {
  test("is accepted by PUT as it is, of every type, by both roles", async () => {
    const program = await bl.programs.made({ programName: `P${++count}`, targets: ["a"] });
    const event = await bl.events.made({
      programID: program.id,
      targets: ["a"],
      payloadDescriptors: [{ payloadType: "PRICE" }],
    });
    const ownVen = await bl.vens.made({
      objectType: "BL_VEN_REQUEST",
      clientID: `c${++count}`,
      venName: `v${count}`,
      targets: ["a"],
    });
    const resource = await bl.resources.made({
      objectType: "BL_RESOURCE_REQUEST",
      clientID: "any",
      venID,
      resourceName: `r${++count}`,
      targets: ["a"],
    });
    const open = await bl.events.made({ programID: (await bl.programs.made({ programName: `P${++count}` })).id });
    const report = await ven.reports.made({ eventID: open.id, clientName: "gateway", resources: [] });
    const subscription = await ven.subscriptions.made({ clientName: "gateway", objectOperations: [] });
    const read = [
      [bl.programs, program.id],
      [bl.events, event.id],
      [bl.vens, ownVen.id],
      [bl.vens, venID],
      [ven.vens, venID],
      [bl.resources, resource.id],
      [ven.resources, resource.id],
      [ven.reports, report.id],
      [ven.subscriptions, subscription.id],
    ] as const;
    for (const [kind, id] of read) {
      const { modificationDateTime: _before, ...body } = (await kind.get(id)).body;
      const answer = await kind.update(id, body);
      expect(answer).toMatchObject({ status: 200, body });
      expect(hintOf(answer)).toBeNull();
    }
    expect((await ven.resources.get(resource.id)).body.targets).toEqual(["a"]);
  });
});

describe("a request in a form of OpenADR 3.0", () => {
  test("is read, and the answer hints at what was", async () => {
    const targets = [{ type: "GROUP", values: ["g1"] }];
    const program = await bl.programs.create({
      programName: `P${++count}`,
      targets,
      payloadDescriptors: [{ payloadType: "PRICE" }],
    });
    expect(program).toMatchObject({
      status: 201,
      body: { targets: ["g1"], payloadDescriptors: [{ objectType: "EVENT_PAYLOAD_DESCRIPTOR" }] },
    });
    expect(hintOf(program)).toBe(
      "targets are lists of type and values, as in OpenADR 3.0; each value was read as a target; " +
        "payloadDescriptors[0].objectType is missing; it was read as EVENT_PAYLOAD_DESCRIPTOR",
    );
    const other = await vtn.ven();
    const made = await other.vens.create({ venName: `v${++count}`, targets });
    expect(made).toMatchObject({ status: 201, body: { clientID: other.id } });
    expect(made.body.targets).toBeUndefined();
    expect(hintOf(made)).toMatch(/^objectType is missing; the request was read as VEN_VEN_REQUEST/);
    const resource = await other.resources.create({ venID: made.body.id, resourceName: "meter" });
    expect(resource).toMatchObject({ status: 201, body: { clientID: other.id } });
  });

  test("filters by targetValues, which may name a ven or resource", async () => {
    const [one, two] = [`g${++count}`, `g${++count}`];
    const { id } = await bl.programs.made({ programName: `P${++count}`, targets: [one] });
    await bl.programs.made({ programName: `P${++count}`, targets: [two] });
    const found = await bl.programs.search({ targetType: "GROUP", targetValues: [one] });
    expect(found.body).toMatchObject([{ id }]);
    expect(hintOf(found)).toMatch(/targetValues/);
    expect(hintOf(await bl.programs.search({ targets: [one] }))).toBeNull();
    const [{ venName }] = (await ven.vens.search()).body;
    expect((await bl.vens.search({ targetType: "VEN_NAME", targetValues: [venName] })).body).toMatchObject([
      { id: venID },
    ]);
    const [{ resourceName }] = (await ven.resources.search()).body;
    const named = await bl.resources.search({ targetType: "RESOURCE_NAME", targetValues: [resourceName] });
    expect(named.body).toMatchObject([{ resourceName }]);
    // There is no filter by the name of a program.
    const all = await bl.programs.search({ targetType: "PROGRAM_NAME", targetValues: ["any"] });
    expect(all.body.length).toBeGreaterThan(1);
    expect(hintOf(all)).toMatch(/was ignored/);
  });

  test("that may mean several things is refused, by what it lacks", async () => {
    expect(await bl.programs.create({ programName: "P", payloadDescriptors: [{ payloadType: "mine" }] })).toMatchObject(
      refused(
        "payloadDescriptors[0].objectType is missing; it must be one of EVENT_PAYLOAD_DESCRIPTOR, REPORT_PAYLOAD_DESCRIPTOR",
      ),
    );
    expect(await bl.vens.create({ objectType: "BL_VEN_REQUEST", venName: "v" })).toMatchObject(
      refused("clientID is missing; it must be given"),
    );
    expect(await bl.resources.create({ resourceName: "r" })).toMatchObject(
      refused("venID is missing; it must be given"),
    );
    expect(await bl.vens.create({ objectType: "VEN_REQUEST" })).toMatchObject(
      refused('objectType is "VEN_REQUEST"; it must be one of VEN_VEN_REQUEST, BL_VEN_REQUEST'),
    );
    expect(await ven.resources.create({})).toMatchObject(refused("resourceName is missing; it must be given"));
  });
});

describe("a resource", () => {
  test("needs no clientID from business logic, and no venID from a VEN, as both can be one only", async () => {
    const byBl = { objectType: "BL_RESOURCE_REQUEST", venID, resourceName: `r${++count}` };
    expect(await bl.resources.create(byBl)).toMatchObject({ status: 201, body: { clientID: ven.id, venID } });
    const own = { objectType: "VEN_RESOURCE_REQUEST", resourceName: `r${++count}` };
    const made = await ven.resources.create(own);
    expect(made).toMatchObject({ status: 201, body: { clientID: ven.id, venID } });
    expect(await ven.resources.update(made.body.id, own)).toMatchObject({ status: 200, body: { venID } });
  });
});

test("a VEN may send the request of business logic for what it has, and for nothing else", async () => {
  const own = await vtn.ven({ targets: ["t1", "t2"] });
  const [{ id, venName }] = (await own.vens.search()).body;
  const request = { objectType: "BL_VEN_REQUEST", clientID: own.id, venName };
  for (const targets of [["t2", "t1"], [], undefined])
    expect((await own.vens.update(id, { ...request, targets })).body.targets).toEqual(["t1", "t2"]);
  for (const more of [{ targets: ["t1"] }, { targets: ["t1", "t2", "t3"] }, { clientID: ven.id }])
    expect(await own.vens.update(id, { ...request, ...more })).toMatchObject({ status: 403 });
});

describe("an address", () => {
  test("answers another method with those that it has, before it asks for a token", async () => {
    expect(await methods("PATCH", "/programs/x")).toEqual([405, "GET, HEAD, PUT, DELETE"]);
    expect(await methods("PUT", "/programs?limit=1")).toEqual([405, "GET, HEAD, POST"]);
    expect(await methods("GET", "/auth/token")).toEqual([405, "POST"]);
    expect(await methods("DELETE", "/notifiers")).toEqual([405, "GET, HEAD"]);
  });

  test("lists nothing beyond the last object, however many are skipped", async () => {
    for (const skip of ["1000000", "9999999999", String(Number.MAX_SAFE_INTEGER)])
      expect(await bl.programs.search({ skip })).toMatchObject({ status: 200, body: [] });
    expect(await bl.programs.search({ skip: "9".repeat(17) })).toMatchObject({ status: 400 });
  });
});

describe("a body", () => {
  test("of business logic has room for the hourly prices of a year, which are compressed where that is asked for", async () => {
    const program = await bl.programs.made({ programName: `P${++count}` });
    // Not through the client of the tests: holding so long an answer to the official document takes longer than a connection waits.
    const created = await fetch(`${vtn.vtnUrl}/events`, {
      method: "POST",
      headers: { ...asked("identity"), "content-type": "application/json" },
      body: JSON.stringify({ programID: program.id, intervals: prices(8760) }),
    });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { readonly id: string };
    const plain = await (await fetch(`${vtn.vtnUrl}/events/${id}`, { headers: asked("identity") })).arrayBuffer();
    for (const encoding of ["gzip", "br"]) {
      const packed = await fetch(`${vtn.vtnUrl}/events/${id}`, { headers: asked(encoding) });
      expect(packed.headers.get("content-encoding")).toBe(encoding);
      expect(Buffer.from(await packed.arrayBuffer()).equals(Buffer.from(plain))).toBe(true);
    }
    const small = await fetch(`${vtn.vtnUrl}/programs/${program.id}`, { headers: asked("gzip") });
    expect(small.headers.get("content-encoding")).toBeNull();
  });

  test("beyond the setting is refused, and one of a VEN beyond 256 kB", async () => {
    const program = await bl.programs.made({ programName: `P${++count}` });
    const { id: eventID } = await bl.events.made({ programID: program.id });
    const long = { programID: program.id, eventName: "x".repeat(2_000_000) };
    expect(await bl.events.create(long)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("larger than 2000000 bytes") },
    });
    const resources = [{ resourceName: "meter", intervals: prices(2500) }];
    expect(await ven.reports.create({ eventID, clientName: "gateway", resources })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("larger than 262144 bytes") },
    });
  });
});
