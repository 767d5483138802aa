import { operator } from "@curtail/contract";
import { LOWEST_EVENT_PRIORITY, OPENADR3_OWN_PAYLOADS } from "@curtail/contract/constants";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  annasVen,
  bert,
  bertsVen,
  bl,
  change,
  create,
  end,
  LIMITS,
  lastAudit,
  limit,
  made,
  newProgram,
  PRICES,
  prepare,
  price,
  safeMode,
  show,
  told,
  vtn,
} from "../../support/operators-own-events.js";

beforeAll(prepare);

test("each payload of the operator's is one of OpenADR 3.1", async () => {
  const { id } = await newProgram({
    payloads: OPENADR3_OWN_PAYLOADS.map((payload_type) => ({ payload_type, units: "KW", currency: "EUR" })),
  });
  for (const payload_type of OPENADR3_OWN_PAYLOADS) {
    const { body } = await create({ program_id: id, payload_type, end_time: null, values: [-1e9] });
    expect(body.message).not.toMatch(/no event payload/);
  }
});

describe("a program of the operator's own", () => {
  test("is created, seen by business logic and VENs, changed, and deleted with its events", async () => {
    const program = await newProgram({ name: "Day-ahead prices", payloads: PRICES });
    expect(program).toEqual({
      id: expect.stringMatching(/^oap_/),
      environment: "production",
      name: "Day-ahead prices",
      payloads: PRICES,
      public: true,
      targets: { accounts: [], sites: [], names: [] },
      event_count: 0,
      created_at: ahead(vtn, {}),
      modified_at: ahead(vtn, {}),
    });
    const { id } = program;
    for (const client of [bl, annasVen])
      expect((await client.programs.get(id)).body).toMatchObject({
        programName: "Day-ahead prices",
        payloadDescriptors: [
          { objectType: "EVENT_PAYLOAD_DESCRIPTOR", payloadType: "PRICE", units: "KWH", currency: "EUR" },
        ],
      });
    const event = await made(price(id));
    expect((await vtn.operator(operator.getOpenadrProgram, { params: { id } })).body).toMatchObject({ event_count: 1 });
    const body = { name: "Prices", targets: { accounts: [bert.accountId] } };
    const changed = await vtn.operator(operator.changeOpenadrProgram, { params: { id }, body });
    expect(changed.body).toMatchObject({ name: "Prices", payloads: PRICES, event_count: 1 });
    expect(await annasVen.programs.get(id)).toMatchObject({ status: 404 });
    expect(await annasVen.events.get(event.id)).toMatchObject({ status: 404 });
    expect(await bertsVen.events.get(event.id)).toMatchObject({ status: 200 });
    expect(await vtn.operator("DELETE", `/openadr3-programs/${id}`)).toMatchObject({ status: 204 });
    expect(await told(id)).toEqual(["CREATE", "DELETE for some", "UPDATE", "DELETE"]);
    expect(await told(event.id)).toEqual(["CREATE", "DELETE for some", "DELETE"]);
    expect(await lastAudit()).toMatchObject({ action: "openadr3_program.delete", subject: id, after: null });
    expectError(await vtn.operator("GET", `/openadr3-programs/${id}`), 404);
  });

  test("has a name of its own in its environment", async () => {
    const { name } = await newProgram();
    expectError(await vtn.operator("POST", "/openadr3-programs", { name }), 400, /is that of another program/);
    const { id } = await newProgram({ name, environment: "sandbox" });
    const { name: other } = await newProgram({ environment: "sandbox" });
    expectError(await vtn.operator("PATCH", `/openadr3-programs/${id}`, { name: other }), 400, /choose another/);
    const listed = await vtn.operator(operator.listOpenadrPrograms, { query: { environment: "sandbox" } });
    expect(listed.body.items.map((program) => program.name)).toEqual([name, other]);
  });
});

describe("a day of prices", () => {
  test("is created from values, and is seen as intervals of an event", async () => {
    const { id, name } = await newProgram();
    const values = Array.from({ length: 24 }, (_, hour) => hour / 100);
    const day = { day: "2099-07-01", timezone: "Europe/Berlin", interval_seconds: 3600, values };
    const { intervals, ...event } = await made({ program_id: id, payload_type: "PRICE", name: "1 July", ...day });
    expect(event).toEqual({
      id: expect.stringMatching(/^oae_/),
      program_id: id,
      program_name: name,
      environment: "production",
      name: "1 July",
      state: "upcoming",
      payloads: PRICES,
      start_time: "2099-06-30T22:00:00Z",
      end_time: "2099-07-01T22:00:00Z",
      priority: null,
      targets: { accounts: [], sites: [], names: [] },
      interval_count: 24,
      created_at: ahead(vtn, {}),
      modified_at: ahead(vtn, {}),
    });
    expect(intervals).toHaveLength(24);
    expect(intervals[23]).toEqual({
      start_time: "2099-07-01T21:00:00Z",
      end_time: "2099-07-01T22:00:00Z",
      payloads: [{ payload_type: "PRICE", values: [0.23] }],
    });
    expect((await annasVen.events.get(event.id)).body).toMatchObject({
      eventName: "1 July",
      programID: id,
      intervalPeriod: { start: "2099-06-30T22:00:00Z", duration: "PT1H" },
      payloadDescriptors: [{ payloadType: "PRICE", units: "KWH", currency: "EUR" }],
    });
    expect(await lastAudit()).toMatchObject({
      action: "openadr3_event.create",
      subject: event.id,
      before: null,
      after: { name: "1 July", intervals: { length: 24 } },
    });
  });
});

describe("an event", () => {
  test("reaches the VENs of accounts, of sites, or with a target, and business logic", async () => {
    const { id } = await newProgram();
    const site = anna.sites[1]?.id ?? "";
    const venOfOneSite = await vtn.ven({ participant: anna, sites: [anna.sites[0]?.id] });
    await expect.poll(async () => (await venOfOneSite.resources.search()).body).toHaveLength(1);
    await expect.poll(async () => (await annasVen.resources.search()).body).toHaveLength(2);
    const seen = async (targets: object) => {
      const event = await made(price(id, { targets }));
      expect((await show(event.id)).targets).toMatchObject(targets);
      const clients = { annasVen, venOfOneSite, bertsVen, bl };
      const answers = await Promise.all(
        Object.entries(clients).map(
          async ([name, client]) => [name, (await client.events.get(event.id)).status] as const,
        ),
      );
      return answers.flatMap(([name, status]) => (status === 200 ? [name] : []));
    };
    expect(await seen({ accounts: [anna.accountId] })).toEqual(["annasVen", "venOfOneSite", "bl"]);
    expect(await seen({ sites: [site] })).toEqual(["annasVen", "bl"]);
    expect(await seen({ names: ["group-1"] })).toEqual(["annasVen", "bl"]);
    expect(await seen({ accounts: [bert.accountId], names: ["group-1"] })).toEqual(["annasVen", "bertsVen", "bl"]);
  });

  test("is listed newest first, by its program, and apart once it is over", async () => {
    const { id: program_id } = await newProgram();
    const first = await made(price(program_id, { name: "first" }));
    const second = await made(price(program_id, { name: "second", start_time: ahead(vtn, { hours: 5 }) }));
    const names = async (query: object) =>
      (await vtn.operator(operator.listOpenadrEvents, { query: { program_id, ...query } })).body.items.map(
        ({ name, state }) => `${name} ${state}`,
      );
    expect(await names({})).toEqual(["second upcoming", "first active"]);
    await end(second.id);
    expect(await names({ over: true })).toEqual([]);
    vtn.clock.advance({ minutes: 1 });
    expect(await end(first.id)).toMatchObject({ status: 200, body: { state: "past", end_time: ahead(vtn, {}) } });
    expect(await names({ over: true })).toEqual(["first past"]);
    expect(await names({ over: false })).toEqual(["second upcoming"]);
    expect(await names({ environment: "sandbox" })).toEqual([]);
    expect((await annasVen.events.search({ programID: program_id, active: true })).body).toMatchObject([
      { id: second.id },
    ]);
  });

  test("is changed in part, and its time and values together", async () => {
    const { id: program_id } = await newProgram();
    const { id, start_time } = await made(price(program_id, { name: "Now", priority: 3 }));
    expect((await change(id, { name: null, priority: 0 })).body).toMatchObject({ name: null, priority: 0 });
    expect((await change(id, { values: [0.5, 0.6], interval_seconds: 900 })).body).toMatchObject({
      start_time,
      priority: 0,
      payloads: PRICES,
      intervals: [{ payloads: [{ values: [0.5] }] }, { payloads: [{ values: [0.6] }] }],
    });
    expect((await annasVen.events.get(id)).body).toMatchObject({ intervalPeriod: { duration: "PT15M" } });
    expectError(await change(id, { units: "KWH" }), 400, /give one of values/);
    expectError(await change(id, { targets: { sites: ["site_0"] } }), 400, /site_0/);
    const before = await told(id);
    expect(await change(id, { priority: 0 })).toMatchObject({ status: 200 });
    expect(await told(id)).toEqual(before);
    vtn.clock.advance({ hours: 1 });
    expectError(await change(id, { name: "Late" }), 400, /over since/);
    expectError(await end(id), 400, /over since/);
  });
});

describe("a capacity limit", () => {
  test("needs a safe mode for those whom it reaches, which has the lowest priority and never ends", async () => {
    const { id } = await newProgram({ payloads: LIMITS });
    expectError(await create(limit(id)), 400, /IMPORT_CAPACITY_LIMIT has no safe mode; first write an event with/);
    const forAnna = { targets: { accounts: [anna.accountId] } };
    expect(await made(safeMode(id, forAnna))).toMatchObject({ priority: LOWEST_EVENT_PRIORITY, end_time: null });
    expectError(await create(limit(id)), 400, /no safe mode/);
    await made(limit(id, forAnna));
    expectError(await create(limit(id, { ...forAnna, values: [-1] })), 400, /values\[0\] is -1; give 0 or more/);
  });
});

test("a request that is repeated with its key creates one event, and ends it once", async () => {
  const { id } = await newProgram();
  const headers = { "idempotency-key": "prices-1" };
  const first = await vtn.operator("POST", "/openadr3-events", price(id), headers);
  const again = await vtn.operator("POST", "/openadr3-events", price(id), headers);
  expect(again.body).toEqual(first.body);
  vtn.clock.advance({ minutes: 1 });
  const ended = await vtn.operator("POST", `/openadr3-events/${first.body.id}/end`, undefined, headers);
  expect(await vtn.operator("POST", `/openadr3-events/${first.body.id}/end`, undefined, headers)).toMatchObject({
    status: 200,
    body: ended.body,
  });
});

test("subscribers of business logic and of VENs are told, and no notice or evidence is owed", async () => {
  const { id } = await newProgram();
  const before = await vtn.database.pool.query("select count(*) from openadr3_notices");
  const event = await made(price(id));
  expect(await told(event.id)).toEqual(["CREATE"]);
  const { rows } = await vtn.database.pool.query("select * from openadr3_changes where object_id = $1", [event.id]);
  expect(rows).toMatchObject([{ source: null, written_by: null, object: { id: event.id, objectType: "EVENT" } }]);
  expect((await vtn.database.pool.query("select count(*) from openadr3_notices")).rows).toEqual(before.rows);
});
