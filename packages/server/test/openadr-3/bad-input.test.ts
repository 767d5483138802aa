import { programs } from "@curtail/openadr-3";
import { beforeAll, describe, expect, test } from "vitest";
import { callbackReceiver } from "../support/callback-receiver.js";
import { type Client31, runningVtn, type Vtn } from "../support/openadr-3.js";
import { sendRaw } from "../support/raw-request.js";

let vtn: Vtn;
let bl: Client31;
let ven: Client31;
let programID: string;

beforeAll(async () => {
  vtn = await runningVtn();
  [bl, ven] = await Promise.all([vtn.bl(), vtn.ven()]);
  programID = (await bl.programs.made({ programName: "Program" })).id;
});

const refused = (detail: RegExp) => ({
  status: 400,
  body: { title: "Bad Request", status: 400, detail: expect.stringMatching(detail) },
});
const send = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  bl.call(programs.create, { body, headers });

const event = (more: object) => bl.events.create({ programID, ...more });

describe("a body", () => {
  test("that is not JSON is refused", async () => {
    expect(await send("{")).toMatchObject(refused(/JSON/));
    expect(await send("[]")).toMatchObject(refused(/the body is a list of 0; it must be an object/));
    expect(await send("")).toMatchObject(refused(/body/));
    expect(await bl.call(programs.create)).toMatchObject({ status: 400 });
    expect(await send("programName=x", { "content-type": "application/x-www-form-urlencoded" })).toMatchObject(
      refused(/application\/json/),
    );
  });

  test("that lacks a required member is refused by its name", async () => {
    expect(await send({})).toMatchObject(refused(/^programName is missing; it must be given$/));
    expect(await send({ programName: null })).toMatchObject(refused(/programName/));
    expect(await bl.events.create({})).toMatchObject(refused(/programID/));
    expect(await ven.reports.create({ eventID: "e", clientName: "c" })).toMatchObject(refused(/resources/));
    expect(await bl.vens.create({ objectType: "BL_VEN_REQUEST", venName: "v" })).toMatchObject(refused(/clientID/));
    expect(await bl.vens.create({ objectType: "VEN_VEN_REQUEST", venName: "v" })).toMatchObject(
      refused(/BL_VEN_REQUEST/),
    );
  });

  test.each([
    [{ programName: "" }, /programName/],
    [{ programName: "x".repeat(129) }, /128/],
    [{ programName: 5 }, /programName is 5; it must be a text/],
    [{ programName: "P", targets: "group" }, /targets/],
    [{ programName: "P", targets: [""] }, /targets\[0\]/],
    [{ programName: "P", attributes: [{ type: "A", values: [null] }] }, /values/],
    [{ programName: "P", attributes: [{ type: "A", values: [{ x: 1 }] }] }, /values/],
    [{ programName: "P", programDescriptions: [{ URL: "no address" }] }, /URL/],
    [{ programName: "P", payloadDescriptors: [{ objectType: "OTHER", payloadType: "A" }] }, /objectType/],
    [{ programName: "P", intervalPeriod: { start: "yesterday" } }, /start/],
    [{ programName: "P", intervalPeriod: { start: "2026-02-30T00:00:00Z" } }, /a day that does not exist/],
    [{ programName: "P", intervalPeriod: { start: "2026-07-01T18:00:00" } }, /start/],
    [{ programName: "P", intervalPeriod: { duration: "1 hour" } }, /duration/],
    [JSON.parse('{"programName":"P","__proto__":{"x":1}}'), /__proto__/],
    [{ programName: "P\u0000" }, /U\+0000/],
  ])("with a wrong member is refused: %j", async (body, detail) => {
    const sent = Object.hasOwn(body, "__proto__") ? '{"programName":"P","__proto__":{"x":1}}' : body;
    expect(await send(sent)).toMatchObject(refused(detail));
  });

  test("with wrong numbers is refused", async () => {
    expect(await event({ priority: -1 })).toMatchObject(refused(/priority/));
    expect(await event({ intervals: [{ id: 2 ** 31, payloads: [] }] })).toMatchObject(refused(/intervals\[0\]\.id/));
    expect(await event({ intervals: [{ id: 0.5, payloads: [] }] })).toMatchObject(refused(/intervals\[0\]\.id/));
    expect(await event({ reportDescriptors: [{ payloadType: "A", repeat: "x" }] })).toMatchObject(refused(/repeat/));
  });

  test("that is too large or too deep is refused", async () => {
    expect(await send({ programName: "x".repeat(2_000_000) })).toMatchObject(refused(/larger than 2000000 bytes/));
    expect(await send(`${"[".repeat(200)}${"]".repeat(200)}`)).toMatchObject({ status: 400 });
  });

  test("may have every value at its limit", async () => {
    const name = "😀".repeat(64);
    expect(await send({ programName: name, targets: ["t".repeat(128)] })).toMatchObject({ status: 201 });
  });
});

describe("a subscription", () => {
  const operation = { objects: ["EVENT"], operations: ["CREATE"], callbackUrl: "https://example.com/callback" };
  const subscribe = (more: object) =>
    ven.subscriptions.create({ clientName: "ven", objectOperations: [{ ...operation, ...more }] });

  test("needs an address over https", async () => {
    expect(await subscribe({ callbackUrl: "http://example.com/callback" })).toMatchObject(refused(/https/));
    expect(await subscribe({ callbackUrl: "ftp://example.com" })).toMatchObject(refused(/https/));
    expect(await subscribe({ callbackUrl: "https://" })).toMatchObject(refused(/callbackUrl/));
    expect(await subscribe({ callbackUrl: "https://user:secret@example.com/" })).toMatchObject(refused(/callbackUrl/));
  });

  test("names operations and objects of the specification", async () => {
    expect(await subscribe({ operations: ["POST"] })).toMatchObject(refused(/operations/));
    expect(await subscribe({ objects: ["EVENTS"] })).toMatchObject(refused(/objects/));
    const { url: callbackUrl } = await callbackReceiver();
    expect(await subscribe({ operations: ["READ"], callbackUrl })).toMatchObject({ status: 201 });
  });
});

describe("an address", () => {
  test("with an id that no object can have is refused; one that none has is not found", async () => {
    expect(await bl.programs.get("no.such.id")).toMatchObject(refused(/the id in the address/));
    expect(await bl.programs.get("x".repeat(129))).toMatchObject(refused(/the id in the address/));
    expect(await bl.programs.get("x".repeat(128))).toMatchObject({ status: 404 });
    expect(await bl.events.get(programID)).toMatchObject({ status: 404 });
  });

  test("with a query that is not of the specification is refused", async () => {
    expect(await bl.programs.search({ limit: 51 })).toMatchObject(refused(/limit/));
    expect(await bl.programs.search({ limit: -1 })).toMatchObject(refused(/limit/));
    expect(await bl.programs.search({ skip: "many" })).toMatchObject(refused(/skip/));
    expect(await bl.events.search({ active: "yes" })).toMatchObject(refused(/active/));
    expect(await bl.events.search({ programID: "a b" })).toMatchObject(refused(/programID/));
    expect(await bl.subscriptions.search({ objects: ["EVENTS"] })).toMatchObject(refused(/objects/));
    expect(await bl.programs.search({ limit: 0 })).toMatchObject({ status: 200, body: [] });
    expect(await bl.programs.search({ other: 1, limit: 50 })).toMatchObject({ status: 200 });
  });

  test("that is none of the specification is not found, with or without a token", async () => {
    const problem = { title: "Not Found", status: 404, detail: expect.stringContaining("/openadr3/3.1.0") };
    const root = vtn.vtnUrl.replace("/openadr3/3.1.0", "");
    for (const [method, path] of [
      ["GET", "/openadr3/3.1.0/nothing"],
      ["GET", "/openadr3/3.0.0/programs"],
      ["GET", "/openadr3/3.1.0/programs/"],
      ["GET", "/"],
    ] as const) {
      const response = await fetch(root + path, { method });
      expect({ status: response.status, body: await response.json() }).toEqual({ status: 404, body: problem });
    }
  });
});

test("what is not HTTP, or no address, is answered with a problem, too", async () => {
  const problem = { title: "Bad Request", status: 400 };
  const root = vtn.vtnUrl.replace("/openadr3/3.1.0", "");
  expect(await sendRaw(root, "nonsense\r\n\r\n")).toMatchObject({ status: 400, body: problem });
  const address = "GET /openadr3/3.1.0/programs/%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
  expect(await sendRaw(root, address)).toMatchObject({ status: 400, body: problem });
  expect(await sendRaw(root, "GET /openadr3/3.1.0/programs HTTP/1.1\r\n\r\n")).toMatchObject({
    status: 400,
    body: { ...problem, detail: expect.stringMatching(/Host/) },
  });
});
