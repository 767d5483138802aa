import { operator } from "@curtail/contract";
import { LOWEST_EVENT_PRIORITY, OPENADR3_OWN_PAYLOADS } from "@curtail/contract/constants";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Client31, runningVtn, type Vtn } from "../../support/openadr-3.js";
import type { Participant } from "../../support/running.js";

let vtn: Vtn;
let bl: Client31;
let anna: Participant;
let bert: Participant;
let annasVen: Client31;
let bertsVen: Client31;

beforeAll(async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
  anna = await vtn.newParticipant({ sites: [["main"], ["main"]] });
  bert = await vtn.newParticipant();
  annasVen = await vtn.ven({ participant: anna, targets: ["group-1"] });
  bertsVen = await vtn.ven({ participant: bert });
});

const PRICES = [{ payload_type: "PRICE", units: "KWH", currency: "EUR" }] as const;
const LIMITS = [
  { payload_type: "IMPORT_CAPACITY_LIMIT", units: "KW" },
  { payload_type: "IMPORT_CAPACITY_SUBSCRIPTION", units: "KW" },
] as const;

let count = 0;
const newProgram = (body: object = { payloads: PRICES }): Promise<operator.Openadr3Program> =>
  vtn.made(operator.createOpenadrProgram, { body: { name: `Program ${++count}`, public: true, ...body } });
const create = (body: object) => vtn.operator("POST", "/openadr3-events", body);
const made = async (body: object): Promise<operator.Openadr3Event> => {
  const answer = await create(body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};
/** An hour of a price from now on. */
const price = (program_id: string, more: object = {}) => ({
  program_id,
  payload_type: "PRICE",
  interval_seconds: 3600,
  values: [0.21],
  ...more,
});
const change = (id: string, body: object) => vtn.operator("PATCH", `/openadr3-events/${id}`, body);
const end = (id: string) => vtn.operator("POST", `/openadr3-events/${id}/end`);
const remove = (id: string) => vtn.operator("DELETE", `/openadr3-events/${id}`);
const show = async (id: string) => (await vtn.operator(operator.getOpenadrEvent, { params: { id } })).body;
const lastAudit = async () => (await vtn.operator(operator.listAudit, { query: { limit: 1 } })).body.items[0];
const told = async (id: string) =>
  (
    await vtn.database.pool.query(
      `select operation || case when kept_targets is null then '' else ' for some' end as operation
       from openadr3_changes where object_id = $1 order by seq`,
      [id],
    )
  ).rows.map(({ operation }) => operation);

test("each payload of the operator's is one of OpenADR 3.1", async () => {
  const { id } = await newProgram({
    payloads: OPENADR3_OWN_PAYLOADS.map((payload_type) => ({ payload_type, units: "KW", currency: "EUR" })),
  });
  for (const payload_type of OPENADR3_OWN_PAYLOADS) {
    const { body } = await create({ program_id: id, payload_type, end_time: null, values: [-1e9] });
    expect(body.message).not.toMatch(/no event payload/);
  }
});

const refused = (body: object) => vtn.operator("POST", "/openadr3-programs", { name: "x", ...body });
/** The program of telemetry, once it is there. */
const followed = async (): Promise<string[]> =>
  (await bl.programs.search()).body.flatMap((program: { id: string; programName: string }) =>
    program.programName === "Telemetry" ? [program.id] : [],
  );

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

  test("is refused with a payload twice, or for accounts and sites that do not exist", async () => {
    expectError(await refused({ payloads: [...PRICES, ...PRICES] }), 400, /payloads\[1\]\.payload_type is PRICE again/);
    expectError(await refused({ targets: { accounts: ["acc_0"] } }), 400, /targets\.accounts holds acc_0/);
    expectError(await refused({ targets: { sites: ["site_0"] } }), 400, /targets\.sites holds site_0/);
    expectError(await refused({ payloads: [{ payload_type: "SIMPLE" }] }), 400, /payload_type/);
  });

  test("is not one that follows a program of the service", async () => {
    await expect.poll(followed).toHaveLength(1);
    const [id = ""] = await followed();
    expectError(await vtn.operator("GET", `/openadr3-programs/${id}`), 404);
    expectError(await create(price(id)), 404);
  });

  test("that business logic wrote is changed without losing what the operator does not see", async () => {
    const descriptor = { objectType: "REPORT_PAYLOAD_DESCRIPTOR", payloadType: "USAGE", units: "KWH" };
    const attributes = [{ type: "RETAILER_NAME", values: ["Feed"] }];
    const written = { programName: "Feed", attributes, payloadDescriptors: [descriptor] };
    const { id } = await bl.programs.made(written);
    const body = { payloads: [...PRICES] };
    await vtn.operator(operator.changeOpenadrProgram, { params: { id }, body });
    expect((await bl.programs.get(id)).body).toMatchObject({
      attributes,
      payloadDescriptors: [{ payloadType: "PRICE" }, descriptor],
    });
    expect(await bl.programs.update(id, written)).toMatchObject({ status: 200 });
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

  test("has as many values as the day has hours", async () => {
    const { id } = await newProgram();
    const day = { day: "2099-03-29", timezone: "Europe/Berlin", values: Array.from({ length: 24 }, () => 1) };
    expectError(
      await create(price(id, day)),
      400,
      /values has 24, but 2099-03-29 in Europe\/Berlin has 23 intervals of 3600 s/,
    );
  });

  test("is refused without units and currency, unless the event or its program has them", async () => {
    const { id } = await newProgram({});
    expectError(await create(price(id)), 400, /units is missing; give one of KWH.*; currency is missing/);
    await made(price(id, { units: "KWH", currency: "USD" }));
    expectError(await create(price(id, { units: "KW", currency: "USD" })), 400, /units is "KW"/);
  });

  test("is refused with each fault, or if it would be over", async () => {
    const { id } = await newProgram({ payloads: [{ payload_type: "GHG", units: "GHG" }] });
    const values = [1, -2, -3];
    expectError(
      await create(price(id, { payload_type: "GHG", values })),
      400,
      /values\[1\] is -2; give 0 or more; values\[2\] is -3/,
    );
    const past = { start_time: ahead(vtn, { hours: -1 }) };
    expectError(await create(price(id, { payload_type: "GHG", ...past })), 400, /would be over since/);
    expectError(await create(price(id, { payload_type: "ALERT_FIRE" })), 400, /values\[0\] is 0.21; give a text/);
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

  test("that began within the same second ends with the second", async () => {
    const { id: program_id } = await newProgram();
    const { id, start_time } = await made(price(program_id));
    const { body } = await end(id);
    expect(Date.parse(body.end_time)).toBe(Date.parse(start_time ?? "") + 1000);
    vtn.clock.advance({ seconds: 1 });
    expect(await show(id)).toMatchObject({ state: "past" });
  });

  test("that has not begun cannot be ended, but is deleted", async () => {
    const { id: program_id } = await newProgram();
    const { id } = await made(price(program_id, { start_time: ahead(vtn, { hours: 1 }) }));
    expectError(await end(id), 400, /has not begun/);
    expect(await remove(id)).toMatchObject({ status: 204 });
    expect(await lastAudit()).toMatchObject({ action: "openadr3_event.delete", subject: id, after: null });
    expect(await told(id)).toEqual(["CREATE", "DELETE"]);
    expectError(await remove(id), 404);
  });

  test("that business logic wrote is shown, renamed and ended as it is", async () => {
    const { id: programID } = await newProgram();
    const bl = await vtn.bl();
    const curve = { type: "CURVE", values: [{ x: 1, y: 2 }] };
    const written = {
      programID,
      eventName: "Curve",
      intervalPeriod: { start: ahead(vtn, {}), duration: "P1M" },
      intervals: [{ id: 7, payloads: [curve, { type: "OWN", values: [true, "a"] }] }],
    };
    const { id } = await bl.events.made(written);
    expect(await show(id)).toMatchObject({
      name: "Curve",
      state: "active",
      payloads: [{ payload_type: "CURVE", units: null }, { payload_type: "OWN" }],
      intervals: [{ end_time: null, payloads: [{ values: curve.values }, { values: [true, "a"] }] }],
    });
    expect((await change(id, { name: "Renamed" })).body).toMatchObject({ name: "Renamed", interval_count: 1 });
    vtn.clock.advance({ minutes: 1 });
    expect((await end(id)).body).toMatchObject({ state: "past" });
    expect(await lastAudit()).toMatchObject({ action: "openadr3_event.end", after: { intervals: { length: 1 } } });
    expect((await bl.events.get(id)).body).toMatchObject({
      intervals: [{ id: 7, intervalPeriod: { duration: "PT1M" } }],
    });
  });
});

const limit = (program_id: string, more: object = {}) =>
  price(program_id, { payload_type: "IMPORT_CAPACITY_LIMIT", values: [11], ...more });
const safeMode = (program_id: string, more: object = {}) => ({
  program_id,
  payload_type: "IMPORT_CAPACITY_SUBSCRIPTION",
  end_time: null,
  values: [4],
  ...more,
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

  test("keeps its safe mode until it is over", async () => {
    const { id } = await newProgram({ payloads: LIMITS });
    const safe = await made(safeMode(id));
    const { id: limited } = await made(limit(id, { name: "Evening" }));
    vtn.clock.advance({ minutes: 1 });
    expectError(await remove(safe.id), 400, /is the safe mode of Evening \(oae_/);
    expectError(await end(safe.id), 400, /is the safe mode/);
    expectError(await change(safe.id, { targets: { accounts: [anna.accountId] } }), 400, /is the safe mode/);
    expect(await change(safe.id, { values: [5], end_time: null })).toMatchObject({ status: 200 });
    await end(limited);
    expect(await remove(safe.id)).toMatchObject({ status: 204 });
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
