import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../src/config/read-config.js";
import { INITIAL_STATE } from "../../src/control/site-control.js";
import { Agent } from "../../src/run/agent.js";
import { systemClock } from "../../src/run/clock.js";
import { createLog } from "../../src/run/log.js";
import { saveState } from "../../src/run/state-file.js";
import type { ReadingsSink } from "../../src/service/readings-sink.js";
import { ServiceKey } from "../../src/service/service-key.js";

const MINUTE = 60_000;

const sink: ReadingsSink = {
  put: () => Promise.resolve(),
  status: { waiting: 0, unstored: 0, refused: 0, dropped: 0, fault: null, disk_fault: null, warnings: [] },
  close: () => Promise.resolve(),
};

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A service whose one dispatch has begun and goes on for an hour. */
const startService = async (): Promise<string> => {
  const dispatch = {
    id: "dis_1",
    authorized: true,
    test: false,
    start_time: time(Date.now() - 60 * MINUTE),
    end_time: time(Date.now() + 60 * MINUTE),
    sites: [{ id: "site_1", commitment: 100 }],
  };
  const server = createServer((request, response) => {
    const isList = request.url?.endsWith("/dispatches") === true;
    response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify({ dispatches: [dispatch] }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // Under a path of its own: the replies have only what the agent reads.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/behind`;
};

const configFor = (url: string, state: string, action: string) => {
  const read = parseConfig(
    `
service: { url: "${url}", key: key_1, poll: 1s }
state: ${state}
status: false
sites:
  - id: site_1
    name: Mill
    control: { minimum_off: 60s, contact: { lost_after: 10s, action: ${action} } }
    outputs: [{ name: relay, to: { command: { file: /bin/true } }, curtail: true, normal: false, failsafe: false }]
`,
    { environment: {}, readText: () => "" },
  );
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.config;
};

const stateFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

test.each([
  ["release", 14],
  ["release", 35 * 60],
  ["level", 35 * 60],
])("with `action: %s`, a curtailment goes on after a power cut of %i s", async (action, seconds) => {
  const folder = stateFolder();
  const atMs = Date.now() - seconds * 1000;
  const windows = [
    { dispatchId: "dis_1", startMs: atMs - MINUTE, endMs: atMs + 90 * MINUTE, commitmentKw: 100, isTest: false },
  ];
  const state = { ...INITIAL_STATE, phase: "curtailing", cause: "dispatch", hasCurtailed: true } as const;
  const site = { state, windows, override: null, outputs: { relay: 1 } };
  saveState(folder, { atMs, contactAtMs: atMs, silentMs: 0, sites: { site_1: site } });
  const lines: string[] = [];
  const log = createLog("words", (line) => lines.push(line), Date.now);
  const config = configFor(await startService(), folder, action);
  const key = new ServiceKey(config.service, systemClock.monotonic);
  const agent = new Agent(config, { clock: systemClock, log, sink, key });
  await agent.start();
  onTestFinished(() => agent.stop());
  const startedAt = agent.status.started_at;
  await expect.poll(() => (agent.status.service.contact_at ?? "") >= startedAt).toBe(true);
  expect(agent.status.sites[0]).toMatchObject({ phase: "curtailing", cause: "dispatch" });
  expect(lines.filter((line) => line.includes("contact lost"))).toEqual([]);
});

test("an override takes effect even if it cannot be recorded", () => {
  const folder = stateFolder();
  mkdirSync(join(folder, "overrides.jsonl"));
  const lines: string[] = [];
  const log = createLog("words", (line) => lines.push(line), Date.now);
  const config = configFor("http://127.0.0.1:9", folder, "keep");
  const key = new ServiceKey(config.service, systemClock.monotonic);
  const agent = new Agent(config, { clock: systemClock, log, sink, key });
  expect(agent.override("site_1", { mode: "normal", who: "Anna", minutes: 60 }, "status page")).toBeNull();
  expect(agent.status.sites[0]?.override).toMatchObject({ mode: "normal", who: "Anna" });
  expect(lines.join("\n")).toContain("the override could not be recorded");
});
