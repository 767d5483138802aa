import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
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
const remove = (id: string) => vtn.operator("DELETE", `/openadr3-events/${id}`);

const refused = (body: object) => vtn.operator("POST", "/openadr3-programs", { name: "x", ...body });
/** The program of telemetry, once it is there. */
const followed = async (): Promise<string[]> =>
  (await bl.programs.search()).body.flatMap((program: { id: string; programName: string }) =>
    program.programName === "Telemetry" ? [program.id] : [],
  );

describe("a program of the operator's own", () => {
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

describe("a capacity limit", () => {
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
