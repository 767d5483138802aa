import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@curtail/testing/free-port";
import { type Broker, startBroker, withoutMosquitto } from "@curtail/testing/mosquitto";
import { Template } from "@huggingface/jinja";
import { connectAsync } from "mqtt";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../src/config/read-config.js";
import type { DispatchWindow } from "../../src/control/dispatch-window.js";
import { INITIAL_STATE } from "../../src/control/site-control.js";
import { Links } from "../../src/devices/links.js";
import { Publisher } from "../../src/run/publisher.js";
import { SiteRunner } from "../../src/run/site-runner.js";
import { siteStatus } from "../../src/run/site-status.js";

let folder: string;
let broker: Broker;

beforeAll(async () => {
  if (withoutMosquitto !== null) return;
  folder = await mkdtemp(join(tmpdir(), "curtail-agent-"));
  broker = await startBroker(folder, await freePort());
});

afterAll(async () => {
  if (withoutMosquitto !== null) return;
  await broker.stop();
  await rm(folder, { recursive: true, force: true });
});

const configOf = () => {
  const read = parseConfig(
    `
service: { url: "http://127.0.0.1:9", key: key_1 }
state: /unused
connections: { broker: { mqtt: { url: "${broker.url}" } } }
publish: { connection: broker, discovery: homeassistant }
sites:
  - id: site_1
    name: Mill
    outputs:
      - { name: relay, to: { mqtt: { connection: broker, topic: relay } }, curtail: true, normal: false }
`,
    { environment: {}, readText: () => "" },
  );
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.config;
};

/** The retained messages below a prefix, as Home Assistant gets them when it starts. */
const retained = async (prefix: string, count: number): Promise<ReadonlyMap<string, string>> => {
  const client = await connectAsync(broker.url);
  const messages = new Map<string, string>();
  client.on("message", (topic, payload) => messages.set(topic, payload.toString()));
  await client.subscribeAsync(`${prefix}/#`);
  await expect.poll(() => messages.size).toBeGreaterThanOrEqual(count);
  await client.endAsync(true);
  return messages;
};

interface Entity {
  readonly unique_id: string;
  readonly state_topic: string;
  readonly value_template: string;
}

/** What each entity shows, by the end of its id, with its template rendered as Home Assistant renders it. */
const shown = async (): Promise<Readonly<Record<string, string>>> => {
  const states = await retained("curtail", 2);
  const entities = [...(await retained("homeassistant", 8)).values()].map((text) => JSON.parse(text) as Entity);
  return Object.fromEntries(
    entities.map(({ unique_id, state_topic, value_template }) => {
      const value_json: unknown = JSON.parse(states.get(state_topic) ?? "null");
      return [unique_id.replace("curtail_site_1_", ""), new Template(value_template).render({ value_json })];
    }),
  );
};

const NOW = Date.UTC(2026, 6, 1, 12);
const HOUR = 3_600_000;
const window = (inHours: number, hours: number | null, commitmentKw: number | null): DispatchWindow => ({
  dispatchId: `dis_${inHours}`,
  startMs: NOW + inHours * HOUR,
  endMs: hours === null ? null : NOW + (inHours + hours) * HOUR,
  commitmentKw,
  isTest: false,
});

/** A site of which the dispatches are known, published at noon. */
const published = async (windows: readonly DispatchWindow[]) => {
  const config = configOf();
  const links = new Links(config, null);
  onTestFinished(() => links.close());
  const [site] = config.sites;
  if (site === undefined || config.publish === null) throw new Error("nothing is published");
  const publisher = new Publisher(config.publish, links.mqtt("broker"));
  publisher.start(config.sites, () => null);
  await expect.poll(() => publisher.fault).toBeNull();
  const stored = { state: INITIAL_STATE, windows, override: null, outputs: {} };
  const runner = new SiteRunner(site, [], links, stored);
  publisher.publish([siteStatus(runner, NOW, new Map())]);
};

const named = withoutMosquitto === null ? test : test.skip;

named("Home Assistant shows what is announced: next start, next end and the power asked", async () => {
  await published([window(2, 3, 120)]);
  await expect.poll(shown).toMatchObject({
    announced: "ON",
    next_start: "2026-07-01T14:00:00.000Z",
    next_end: "2026-07-01T17:00:00.000Z",
    asked_kw: "120",
  });
});

named(
  "while a dispatch without an end asks for as much as possible, nothing is announced and the rest is unknown",
  async () => {
    await published([window(-1, null, null)]);
    // What Home Assistant takes for unknown.
    const unknown = "None";
    await expect
      .poll(shown)
      .toMatchObject({ announced: "OFF", next_start: unknown, next_end: unknown, asked_kw: unknown });
  },
);

named("each entity is one of the site's device, says who publishes it, and times are timestamps", async () => {
  await published([]);
  const entities = await retained("homeassistant", 8);
  expect([...entities.keys()].toSorted()).toEqual([
    "homeassistant/binary_sensor/curtail_site_1_announced/config",
    "homeassistant/binary_sensor/curtail_site_1_curtailing/config",
    "homeassistant/select/curtail_site_1_override/config",
    "homeassistant/sensor/curtail_site_1_asked_kw/config",
    "homeassistant/sensor/curtail_site_1_cause/config",
    "homeassistant/sensor/curtail_site_1_commitment/config",
    "homeassistant/sensor/curtail_site_1_next_end/config",
    "homeassistant/sensor/curtail_site_1_next_start/config",
  ]);
  for (const [topic, text] of entities)
    expect(JSON.parse(text)).toMatchObject({
      unique_id: topic.split("/")[2],
      availability_topic: "curtail/status",
      device: { identifiers: ["curtail_site_1"], name: "Mill" },
      origin: { name: "Curtail agent" },
      ...(topic.includes("next_") ? { device_class: "timestamp" } : {}),
    });
});
