import { once } from "node:events";
import { createServer } from "node:net";
import { freePort } from "@curtail/testing/free-port";
import modbus, { type ServerTCP } from "modbus-serial";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ModbusPoint } from "../../src/config/modbus-config.js";
import { ModbusLink } from "../../src/devices/modbus.js";
import { blocksOf } from "../../src/devices/modbus-blocks.js";
import { decodeRegisters, encodeRegisters } from "../../src/devices/modbus-registers.js";

const point = (changes: Partial<ModbusPoint>): ModbusPoint => ({
  connection: "plc",
  table: "holding",
  address: 0,
  type: "uint16",
  wordOrder: "big",
  ...changes,
});

test.each([
  ["int16", "big", -2, [0xff_fe]],
  ["uint16", "big", 65_534, [0xff_fe]],
  ["int32", "big", -2, [0xff_ff, 0xff_fe]],
  ["int32", "little", -2, [0xff_fe, 0xff_ff]],
  ["uint32", "big", 0x00_01_00_02, [1, 2]],
  ["uint32", "little", 0x00_01_00_02, [2, 1]],
  ["float32", "big", 123.5, [0x42_f7, 0]],
  ["float32", "little", 123.5, [0, 0x42_f7]],
] as const)("%s with the %s word first holds %d as %j", (type, wordOrder, value, registers) => {
  expect(encodeRegisters(value, { type, wordOrder })).toEqual(registers);
  expect(decodeRegisters(registers, { type, wordOrder })).toBe(value);
});

test.each([
  ["int16", 32_768],
  ["uint16", -1],
  ["uint32", 2 ** 32],
  ["int32", Number.NaN],
] as const)("%s refuses %d", (type, value) => {
  expect(() => encodeRegisters(value, { type, wordOrder: "big" })).toThrow("does not fit");
});

test("neighbours are read in one request; tables, distant registers and more than 125 are not", () => {
  const points = [
    point({ address: 10, type: "float32" }),
    point({ address: 0 }),
    point({ address: 20 }),
    point({ address: 40 }),
    point({ address: 3, table: "input" }),
  ];
  const blocks = blocksOf(points).map(({ table, address, length }) => [table, address, length]);
  expect(blocks).toEqual([
    ["holding", 0, 1],
    ["holding", 10, 11],
    ["holding", 40, 1],
    ["input", 3, 1],
  ]);
  const many = Array.from({ length: 200 }, (_, address) => point({ address }));
  expect(blocksOf(many).map(({ length }) => length)).toEqual([125, 75]);
});

/** Illegal data address. */
const NO_REGISTER = Object.assign(new Error("no register"), { modbusErrorCode: 2 });

/** A device with registers 0 to 99; input registers hold their address, and register 7 is not there. */
class Device {
  readonly holding = new Map<number, number>();
  readonly coils = new Map<number, boolean>();
  readonly requests: number[] = [];
  private server: ServerTCP | null = null;

  async start(port: number): Promise<number> {
    const server = new modbus.ServerTCP(
      {
        getMultipleInputRegisters: (address, length, _, respond) => {
          this.requests.push(address);
          if (address <= 7 && 7 < address + length) respond(NO_REGISTER, []);
          else
            respond(
              null,
              Array.from({ length }, (_value, index) => address + index),
            );
        },
        getInputRegister: (address, _, respond) => {
          this.requests.push(address);
          respond(address === 7 ? NO_REGISTER : null, address);
        },
        getHoldingRegister: (address: number) => this.holding.get(address) ?? 0,
        getCoil: (address: number) => this.coils.get(address) ?? false,
        setRegister: (address: number, value: number) => void this.holding.set(address, value),
        setCoil: (address: number, value: boolean) => void this.coils.set(address, value),
      },
      { host: "127.0.0.1", port, unitID: 1 },
    );
    this.server = server;
    await new Promise<void>((resolve) => {
      server.on("initialized", () => resolve());
    });
    return port;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server === null) return;
    for (const socket of server.socks.keys()) socket.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  }
}

let device: Device;
let port: number;
let link: ModbusLink;

beforeEach(async () => {
  device = new Device();
  port = await device.start(await freePort());
  link = new ModbusLink({ host: "127.0.0.1", port, unit: 1, timeoutMs: 1_000 });
});

afterEach(async () => {
  await link.close();
  await device.stop();
});

test("points of a device are read in one request, in their order", async () => {
  const points = [point({ table: "input", address: 12 }), point({ table: "input", address: 10 })];
  expect(await link.read(points)).toEqual([{ value: 12 }, { value: 10 }]);
  expect(device.requests).toEqual([10]);
});

test("a hole that the device refuses is asked around", async () => {
  const points = [5, 9].map((address) => point({ table: "input", address }));
  expect(await link.read(points)).toEqual([{ value: 5 }, { value: 9 }]);
  const [refused] = await link.read([point({ table: "input", address: 7 })]);
  expect(refused).toEqual({ fault: "Modbus exception 2: Illegal data address (register not supported by device)" });
});

test("registers, pairs of registers and coils are written, and read back", async () => {
  const float = point({ address: 20, type: "float32", wordOrder: "little" });
  await link.write(float, 12.5);
  await link.write(point({ address: 30, type: "int16" }), -40);
  await link.write(point({ table: "coil", address: 3, type: "bit" }), 1);
  expect([...device.holding]).toEqual([
    [20, 0],
    [21, 0x41_48],
    [30, 0xff_d8],
  ]);
  expect(device.coils.get(3)).toBe(true);
  expect(await link.readBack(float)).toEqual({ value: 12.5 });
  expect(await link.readBack(point({ table: "coil", address: 3, type: "bit" }))).toEqual({ value: 1 });
});

test("a device that went away is a fault of each point, and is found again", async () => {
  const input = point({ table: "input", address: 10 });
  expect(await link.read([input])).toEqual([{ value: 10 }]);
  await device.stop();
  expect(await link.read([input, input])).toEqual([{ fault: expect.any(String) }, { fault: expect.any(String) }]);
  await device.start(port);
  await expect.poll(() => link.read([input])).toEqual([{ value: 10 }]);
});

test("a device that accepts a connection and never answers does not hold the agent up", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const dead = new ModbusLink({
    host: "127.0.0.1",
    port: (silent.address() as { port: number }).port,
    unit: 1,
    timeoutMs: 300,
  });
  const begun = performance.now();
  expect(await dead.read([point({})])).toEqual([{ fault: expect.any(String) }]);
  expect(performance.now() - begun).toBeLessThan(3_000);
  await dead.close();
  silent.close();
});
