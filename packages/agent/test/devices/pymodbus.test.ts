import { type DevicePoint, type PymodbusDevice, startPymodbus, withoutPymodbus } from "@curtail/testing/pymodbus";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModbusPoint } from "../../src/config/modbus-config.js";
import { ModbusLink } from "../../src/devices/modbus.js";

const numbers = [
  ["int16", -12_345],
  ["uint16", 54_321],
  ["int32", -1_234_567_890],
  ["uint32", 3_234_567_890],
  ["float32", -1234.5],
] as const;

/** Each type in each word order, from an address on. */
const registersOf = (table: "holding" | "input", from: number) =>
  (["big", "little"] as const).flatMap((word_order, order) =>
    numbers.map(([type, value], index) => ({
      table,
      type,
      word_order,
      value,
      address: from + order * 10 + index * 2,
    })),
  );

const bit = (table: "coil" | "discrete", address: number, value: number) =>
  ({ table, address, type: "bit", word_order: "big", value }) as const;

const points = [
  ...registersOf("holding", 100),
  ...registersOf("input", 100),
  bit("coil", 3, 1),
  bit("coil", 4, 0),
  bit("discrete", 3, 0),
  bit("discrete", 5, 1),
];

const ofAgent = ({ table, address, type, word_order }: DevicePoint): ModbusPoint => ({
  connection: "plc",
  table,
  address,
  type,
  wordOrder: word_order,
});

let device: PymodbusDevice;
let link: ModbusLink;

beforeAll(async () => {
  if (withoutPymodbus !== null) return;
  device = await startPymodbus(points);
  link = new ModbusLink({ host: "127.0.0.1", port: device.port, unit: 1, timeoutMs: 3_000 });
});

afterAll(async () => {
  await link?.close();
  await device?.stop();
});

const named = withoutPymodbus === null ? test : test.skip;

named("every type is read from every table of pymodbus, in both word orders", async () => {
  expect(await link.read(points.map(ofAgent))).toEqual(points.map(({ value }) => ({ value })));
});

named("registers that pymodbus does not have are faults of their own, and asked around", async () => {
  const there = ofAgent(bit("coil", 4, 0));
  expect(await link.read([{ ...there, address: 0 }, there])).toEqual([
    { fault: expect.stringContaining("Illegal data address") },
    { value: 0 },
  ]);
});

named.for(points.filter(({ table }) => table === "holding" || table === "coil"))(
  "what is written as $table $type $word_order is what pymodbus holds",
  async (point) => {
    const value = point.type === "bit" ? 1 - point.value : point.value / 3;
    const held = point.type === "float32" ? Math.fround(value) : Math.round(value);
    await link.write(ofAgent(point), value);
    expect(await device.held(point)).toBe(held);
    expect(await link.readBack(ofAgent(point))).toEqual({ value: held });
  },
);
