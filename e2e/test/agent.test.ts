import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Agent, createLog, parseConfig, ServiceKey, SpoolingSink } from "@curtail/agent";
import { createParticipant } from "@curtail/client";
import { operator } from "@curtail/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BEGINS_BEFORE_MS, fastClock } from "./support/fast-agent.js";
import { type ModbusDevice, startModbusDevice } from "./support/modbus-device.js";
import { newParticipant, newProgram, operate, type Participant } from "./support/participant.js";
import { type PreparedFolder, preparedFolder } from "./support/prepared-data.js";
import { command, OPERATOR_TOKEN, type ServiceProcess, startProcess } from "./support/service-process.js";

let folder: PreparedFolder;
let work: string;
let service: ServiceProcess;
let participant: Participant;
let device: ModbusDevice;

beforeAll(async () => {
  folder = await preparedFolder("memory");
  work = await mkdtemp(join(tmpdir(), "curtail-agent-"));
  device = await startModbusDevice();
  service = await startProcess({ CURTAIL_DATA_DIR: folder.dataDir, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN });
  participant = await newParticipant(service.url, 1);
});

afterAll(async () => {
  await service?.end("SIGTERM");
  await device?.stop();
  await folder.remove();
  await rm(work, { recursive: true, force: true });
});

const site = () => {
  const [only] = participant.sites;
  if (only === undefined) throw new Error("there is no site");
  return only;
};

/** The configuration of a site whose limit is register 20. */
const configFor = (state: string, poll = "1s"): string => `
service: { url: "${service.url}", key: "${participant.key}", poll: ${poll} }
state: ${join(work, state)}
status: { port: 0 }
connections:
  plc: { modbus: { host: 127.0.0.1, port: ${device.port} } }
sites:
  - id: ${site().id}
    name: Mill
    control: { contact: { lost_after: 5m, action: level } }
    meters:
      - id: ${site().meterId}
        name: main
        unit: kW
        scale: 0.1
        range: [0, 1000]
        interval: 30s
        poll: 1s
        source: { modbus: { connection: plc, table: input, address: 10, type: uint16 } }
    outputs:
      - name: limit
        to: { modbus: { connection: plc, table: holding, address: 20, type: uint16 } }
        curtail: remaining
        full: 10
        normal: 100
        failsafe: 60
        repeat: 1h
`;

const written = async (name: string, text: string): Promise<string> => {
  const file = join(work, name);
  await writeFile(file, text);
  return file;
};

const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [command, "agent", ...args], { env: { PATH: process.env["PATH"] } }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );

test("a configuration that is wrong is explained by line, and nothing runs", async () => {
  const file = await written("wrong.yaml", configFor("wrong").replace("unit: kW", "unit: kWh"));
  const { code, stderr } = await run("--config", file);
  expect(code).toBe(2);
  expect(stderr).toBe(`${file}:14: sites[0].meters[0].unit must be one of W, kW, MW; did you mean kW?\n`);
});

test("--check reads each point once, compares sites with the service, and writes nothing", async () => {
  const right = await run("--config", await written("check.yaml", configFor("check")), "--check");
  expect(right.stdout.trim().split("\n")).toEqual([
    `ok    service: knows Mill (${site().id})`,
    "ok    meter main of Mill: 420 kW (read: 4200)",
    "ok    output limit of Mill: holds 100",
  ]);
  const strange = configFor("check").replace(site().meterId, "mtr_unknown");
  const wrong = await run("--config", await written("strange.yaml", strange), "--check");
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain("WRONG service: Mill has no meter mtr_unknown");
  expect(device.written).toEqual([]);
});

const configured = (text: string) => {
  const read = parseConfig(text, { environment: {}, readText: () => "" });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.config;
};

const limit = () => device.holding.get(20);

test("a dispatch and its cancellation are written long before the next poll", async () => {
  const config = configured(configFor("woken", "5m"));
  const clock = fastClock();
  const key = new ServiceKey(config.service, clock.monotonic);
  const sink = await SpoolingSink.open(join(work, "woken", "spool"), createParticipant(key.access));
  const agent = new Agent(config, { clock, sink, key, log: createLog("words", () => {}, clock.now) });
  await agent.start();
  await expect.poll(() => agent.status.service.contact_at).not.toBeNull();
  await expect.poll(limit).toBe(100);

  const program_id = await newProgram(service.url);
  const start_time = `${new Date(Date.now() - 2 * BEGINS_BEFORE_MS).toISOString().slice(0, 19)}Z`;
  const sites = [{ site_id: site().id, commitment: 120 }];
  const { id } = await operate(service.url, operator.createDispatch, {
    body: { program_id, sites, start_time, confirm_past: true },
  });
  await expect.poll(limit).toBe(10);
  await operate(service.url, operator.changeDispatch, { params: { id }, body: { authorized: false } });
  await expect.poll(limit).toBe(100);
  await agent.stop();
});
