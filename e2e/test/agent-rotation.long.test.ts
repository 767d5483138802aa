import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Agent, createLog, parseConfig, ServiceKey, SpoolingSink } from "@curtail/agent";
import { createParticipant } from "@curtail/client";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, expect, test } from "vitest";
import { BEGINS_BEFORE_MS, fastClock } from "./support/fast-agent.js";
import { newKey, newParticipant, newProgram, operate, type Participant, readPoints } from "./support/participant.js";
import { preparedFolder } from "./support/prepared-data.js";
import { type ServiceProcess, startProcess, temporaryFolder, underLoad } from "./support/service-process.js";

let service: ServiceProcess;
let participant: Participant;
let folder: string;

beforeAll(async () => {
  const [data, work] = [await preparedFolder("memory"), await temporaryFolder()];
  folder = work.path;
  service = await startProcess(underLoad(data.dataDir));
  atEnd(async () => {
    await service.end("SIGTERM");
    await data.remove();
    await work.remove();
  });
  participant = await newParticipant(service.url, 1);
}, 120_000);

/** A meter that always shows 420 kW. */
const startMeter = async (): Promise<string> => {
  const server = createServer((_, response) => response.end("420")).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const configFor = (meterUrl: string, keyFile: { readonly text: string }) => {
  const [site] = participant.sites;
  const text = JSON.stringify({
    service: { url: service.url, key_file: "agent.key", poll: "1s" },
    state: join(folder, "state"),
    status: false,
    sites: [
      {
        id: site?.id,
        meters: [
          {
            id: site?.meterId,
            unit: "kW",
            range: [0, 1000],
            interval: "30s",
            poll: "1s",
            source: { http: { url: meterUrl } },
          },
        ],
        outputs: [{ name: "relay", to: { command: { file: "/bin/true" } }, curtail: true, normal: false }],
      },
    ],
  });
  const read = parseConfig(text, { environment: {}, readText: () => keyFile.text });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.config;
};

const startAgent = async (keyFile: { readonly text: string }): Promise<Agent> => {
  const config = configFor(await startMeter(), keyFile);
  const clock = fastClock();
  const key = new ServiceKey(config.service, clock.monotonic);
  const access = createParticipant({ ...key.access, retry: { attempts: 1 } });
  const sink = await SpoolingSink.open(join(folder, "state/spool"), access, key);
  const agent = new Agent(config, { clock, sink, key, log: createLog("words", () => {}, clock.now) });
  await agent.start();
  atEnd(() => agent.stop());
  return agent;
};

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

test("a key that is rotated while readings wait: all are uploaded, and dispatches come, without a restart", async () => {
  const keyFile = { text: participant.key };
  const agent = await startAgent(keyFile);
  await expect.poll(() => agent.status.service.contact_at).not.toBeNull();
  const { items } = await operate(service.url, operator.listKeys, { params: { id: participant.accountId } });
  const next = await newKey(service.url, participant.accountId);
  keyFile.text = "";
  await operate(service.url, operator.revokeKey, { params: { id: items[0]?.id ?? "" } });
  await expect.poll(() => agent.status.service.fault, { timeout: 20_000 }).toContain("401");
  expect(agent.status.service.key_fault).toContain("is empty");
  await expect.poll(() => agent.status.upload.waiting, { timeout: 40_000 }).toBeGreaterThan(3);

  keyFile.text = `${next}\n`;
  await expect.poll(() => agent.status.service.fault, { timeout: 20_000 }).toBeNull();
  await expect.poll(() => agent.status.upload.waiting, { timeout: 20_000 }).toBeLessThan(2);
  expect(agent.status.service.key_fault).toBeNull();
  expect(agent.status.upload).toMatchObject({ refused: 0, dropped: 0, unstored: 0 });

  const window = { start: ago(BEGINS_BEFORE_MS), end: ago(0) };
  const points = await readPoints(service.url, { ...participant, key: next }, window);
  const ends = (points.get(participant.sites[0]?.meterId ?? "") ?? []).map(({ timestamp }) => Date.parse(timestamp));
  expect(ends.length).toBeGreaterThan(3);
  // None is lost between the first and the last.
  for (const [index, end] of ends.slice(1).entries()) expect(end - (ends[index] ?? 0)).toBe(30_000);

  const program_id = await newProgram(service.url);
  const start_time = `${ago(2 * BEGINS_BEFORE_MS).slice(0, 19)}Z`;
  const sites = [{ site_id: participant.sites[0]?.id ?? "", commitment: 120 }];
  await operate(service.url, operator.createDispatch, { body: { program_id, start_time, sites, confirm_past: true } });
  await expect.poll(() => agent.status.sites[0]?.phase, { timeout: 20_000 }).toBe("curtailing");
}, 120_000);
