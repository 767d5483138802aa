import Type from "typebox";
import { beforeAll, describe, expect, test } from "vitest";
import { dropNulls } from "../../../src/platform/http/null-members.js";
import { expectError } from "../../support/expect-error.js";
import { firstOf } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

/** What is left of a value. */
const left = (schema: Type.TSchema, value: unknown): unknown => {
  dropNulls(schema, value);
  return value;
};

const optional = Type.Optional(Type.String());
const nullable = Type.Optional(Type.Union([Type.String(), Type.Null()]));

describe("a member that is null", () => {
  test("counts as absent if it may be absent but not null", () => {
    expect(left(Type.Object({ name: optional }), { name: null })).toEqual({});
    expect(left(Type.Object({ kind: Type.Optional(Type.Enum(["a", "b"])) }), { kind: null })).toEqual({});
  });

  test.each([
    ["it may be null", Type.Object({ name: nullable })],
    ["it must be given", Type.Object({ name: Type.String() })],
    ["nobody knows it", Type.Object({})],
    ["it may be anything", Type.Object({ name: Type.Optional(Type.Unknown()) })],
    ["its name is the sender's own", Type.Record(Type.String(), Type.Number())],
  ])("stays where %s", (_, schema) => {
    expect(left(schema, { name: null })).toEqual({ name: null });
  });

  test("is found in lists, objects within objects, and records", () => {
    const item = Type.Object({ name: optional });
    const schema = Type.Object({ list: Type.Array(item), one: item, by: Type.Record(Type.String(), item) });
    const value = { list: [{ name: null }, null, "x"], one: { name: null }, by: { a: { name: null } } };
    expect(left(schema, value)).toEqual({ list: [{}, null, "x"], one: {}, by: { a: {} } });
  });

  test("counts as absent in a union unless an alternative takes it or needs it", () => {
    const [plain, taking, needing] = [
      Type.Object({ name: optional }),
      Type.Object({ name: nullable }),
      Type.Object({ name: Type.String() }),
    ];
    expect(left(Type.Union([plain, Type.Object({ other: optional })]), { name: null })).toEqual({});
    for (const other of [taking, needing])
      expect(left(Type.Union([plain, other]), { name: null })).toEqual({ name: null });
  });
});

describe("G56: generated clients, which send null for what they leave out,", () => {
  let service: Running;
  let anna: Participant;

  beforeAll(async () => {
    service = await running();
    anna = await service.newParticipant();
  });

  test("upload readings of either shape", async () => {
    const timestamp = service.clock.now().toISOString();
    const common = { interval_seconds: 60, meter_id: firstOf(anna).meterId, site_id: null };
    const shapeA = { ...common, timestamp, kW: 1, value: null, units: null };
    const shapeB = { ...common, timestamp, kW: null, value: 1, units: "kW" };
    const upload = (...telemetry: object[]) => anna.call("POST", "/telemetry", { telemetry });
    expect((await upload(shapeA, shapeB)).body).toEqual({ received: 2 });
    expectError(await upload({ ...shapeA, kW: null }), 400, /telemetry\[0\] has no power/);
  });

  test("make what operators make", async () => {
    const created = await service.operator("POST", "/accounts", { name: "Mill", disabled: null });
    expect(created).toMatchObject({ status: 201, body: { disabled: false } });
    expectError(await service.operator("POST", "/accounts", { name: null }), 400, /^name is null/);
  });
});
