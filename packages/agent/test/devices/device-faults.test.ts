import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freeUdpPort, startBacnetDevice } from "@curtail/testing/bacnet-device";
import { freePort } from "@curtail/testing/free-port";
import { startBroker, withoutMosquitto } from "@curtail/testing/mosquitto";
import modbus from "modbus-serial";
import { connectAsync } from "mqtt";
import { expect, onTestFinished, test } from "vitest";
import type { AgentConfig } from "../../src/config/config.js";
import { parseConfig } from "../../src/config/read-config.js";
import { Links } from "../../src/devices/links.js";
import { placeOf } from "../../src/devices/place.js";
import { MeterSampler } from "../../src/readings/meter-sampler.js";
import { collect } from "../../src/run/meter-sources.js";
import { OutputRunner } from "../../src/run/output-runner.js";

const SECONDS = 5_000;

/** A site with one meter and one output at a device. */
const siteAt = (connection: string, source: string, target: string): AgentConfig => {
  const read = parseConfig(
    `
service: { url: "http://127.0.0.1:9", key: key_1 }
state: /unused
connections: { plc: { ${connection} } }
sites:
  - id: site_1
    name: Mill
    meters: [{ id: mtr_1, unit: kW, range: [0, 100], poll: 1s, source: { ${source} } }]
    outputs: [{ name: limit, to: { ${target} }, curtail: 70000, normal: 70000 }]
`,
    { environment: {}, readText: () => "" },
  );
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.config;
};

/** Waits for an answer a shorter time than can be configured. */
const impatient = (config: AgentConfig): AgentConfig => ({
  ...config,
  connections: new Map(
    [...config.connections].map(([name, each]) => [name, "timeoutMs" in each ? { ...each, timeoutMs: 200 } : each]),
  ),
});

/** What log and status say of the meter and the output after a try of each. */
const faultsOf = async (config: AgentConfig) => {
  const links = new Links(config, null);
  const stopping = new AbortController();
  const [site] = config.sites;
  const [meter, output] = [site?.meters[0], site?.outputs[0]];
  if (site === undefined || meter === undefined || output === undefined) throw new Error("the site is not whole");
  const sampler = new MeterSampler(meter, 0, placeOf(meter.source, config.connections));
  const clock = { now: () => 1_000, monotonic: () => performance.now() };
  const collecting = collect([sampler], { links, clock, signal: stopping.signal, failed: () => {} });
  onTestFinished(async () => {
    stopping.abort();
    await collecting;
    await links.close();
  });
  const runner = new OutputRunner(site, output, links, undefined);
  const state = { phase: "normal", cause: "no dispatch", phaseMs: 0, demand: null, referenceKw: null } as const;
  runner.tick({ ...state, hasCurtailed: false, isSpent: false }, { ms: 0, monotonicMs: 0 }, 0);
  await runner.settle();
  const gap = () => sampler.settle(200_000).gaps[0]?.why ?? null;
  return { output: runner.status.fault, meter: () => sampler.lastNote, gap };
};

type Faults = Awaited<ReturnType<typeof faultsOf>>;

const expectPlaces = async (faults: Faults, meter: string, output: string | null): Promise<void> => {
  await expect.poll(faults.meter, { timeout: SECONDS }).toMatch(meter);
  expect(faults.gap()).toMatch(meter);
  if (output !== null) expect(faults.output).toMatch(output);
};

const REGISTERS = [
  "modbus: { connection: plc, table: input, address: 7, type: uint16 }",
  "modbus: { connection: plc, table: holding, address: 40, type: int32 }",
] as const;
const OBJECTS = [
  "bacnet: { connection: plc, object: analog-input 3 }",
  "bacnet: { connection: plc, object: analog-value 4 }",
] as const;
const TOPICS = [
  "mqtt: { connection: plc, topic: meters/grid }",
  "mqtt: { connection: plc, topic: mill/limit }",
] as const;

test("Modbus without a device", async () => {
  const port = await freePort();
  const faults = await faultsOf(siteAt(`modbus: { host: 127.0.0.1, port: ${port}, unit: 3 }`, ...REGISTERS));
  const device = `plc (127.0.0.1:${port}, unit 3)`;
  await expectPlaces(faults, `${device}, input 7: `, `${device}, holding 40: `);
});

test("a Modbus device that is silent", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const connection = `modbus: { host: 127.0.0.1, port: ${port} }`;
  const faults = await faultsOf(impatient(siteAt(connection, ...REGISTERS)));
  await expectPlaces(faults, `plc (127.0.0.1:${port}, unit 1), input 7: `, ", holding 40: ");
});

/** Illegal data address. */
const refuse = (_: number, __: number, respond: (error: Error) => void): void =>
  respond(Object.assign(new Error("no register"), { modbusErrorCode: 2 }));

test("a Modbus device that has no such register, and a value that does not fit", async () => {
  const port = await freePort();
  const vector = { getInputRegister: refuse, setRegister: () => {} };
  const server = new modbus.ServerTCP(vector as never, { host: "127.0.0.1", port, unitID: 1 });
  await new Promise<void>((resolve) => {
    server.on("initialized", () => resolve());
  });
  onTestFinished(() => {
    for (const socket of server.socks.keys()) socket.destroy();
    server.close(() => {});
  });
  const narrow = REGISTERS[1].replace("int32", "int16");
  const faults = await faultsOf(siteAt(`modbus: { host: 127.0.0.1, port: ${port} }`, REGISTERS[0], narrow));
  const device = `plc (127.0.0.1:${port}, unit 1)`;
  await expectPlaces(
    faults,
    `${device}, input 7: Modbus exception 2`,
    `${device}, holding 40: 70000 does not fit into int16`,
  );
});

test("BACnet without a device", async () => {
  const port = await freeUdpPort();
  const local = `bind: 127.0.0.1, local_port: ${await freeUdpPort()}`;
  const connection = `bacnet: { host: 127.0.0.1, port: ${port}, ${local} }`;
  const faults = await faultsOf(impatient(siteAt(connection, ...OBJECTS)));
  const device = `plc (127.0.0.1:${port})`;
  await expectPlaces(
    faults,
    `${device}, analog-input 3: does not answer`,
    `${device}, analog-value 4: does not answer`,
  );
});

test("a BACnet device that has no such object", async () => {
  const port = await freeUdpPort();
  const device = await startBacnetDevice(port);
  onTestFinished(() => device.close());
  const local = `bind: 127.0.0.1, local_port: ${await freeUdpPort()}`;
  const faults = await faultsOf(siteAt(`bacnet: { host: 127.0.0.1, port: ${port}, ${local} }`, ...OBJECTS));
  await expectPlaces(faults, `plc (127.0.0.1:${port}), analog-input 3: `, null);
});

test("MQTT without a broker, and no password in what it says", async () => {
  const port = await freePort();
  const faults = await faultsOf(siteAt(`mqtt: { url: "mqtt://anna:secret@localhost:${port}" }`, ...TOPICS));
  const device = `plc (mqtt://localhost:${port})`;
  await expectPlaces(faults, `${device}, topic meters/grid: `, `${device}, topic mill/limit: `);
});

const named = withoutMosquitto === null ? test : test.skip;

/** A broker of its own, which refuses what `access` does not allow. */
const brokerWith = async (access?: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-agent-"));
  const broker = await startBroker(folder, await freePort(), null, access);
  onTestFinished(async () => {
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return broker.url;
};

named("MQTT without a message, and with one that is no number", async () => {
  const url = await brokerWith();
  const faults = await faultsOf(siteAt(`mqtt: { url: "${url}" }`, ...TOPICS));
  const place = `plc (${url}), topic meters/grid`;
  await expect.poll(faults.meter, { timeout: SECONDS }).toBeNull();
  expect(faults.gap()).toBe(`${place}: no value came`);
  const other = await connectAsync(url);
  onTestFinished(() => other.endAsync(true));
  const send = async () => {
    await other.publishAsync("meters/grid", "off");
    return faults.meter();
  };
  await expect.poll(send, { timeout: SECONDS }).toBe(`${place}: "off" is not a number`);
});

test("a value out of range, and a point of each protocol, are named with their place", () => {
  const config = siteAt("modbus: { host: 192.0.2.10 }", ...REGISTERS);
  const [meter] = config.sites[0]?.meters ?? [];
  if (meter === undefined) throw new Error("there is no meter");
  const sampler = new MeterSampler(meter, 0, placeOf(meter.source, config.connections));
  sampler.add(500, 1_000);
  expect(sampler.lastNote).toBe("plc (192.0.2.10:502, unit 1), input 7: 500 kW is not within 0 to 100 kW");
});
