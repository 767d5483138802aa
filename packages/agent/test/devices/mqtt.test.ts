import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@curtail/testing/free-port";
import { type Broker, startBroker, withoutMosquitto } from "@curtail/testing/mosquitto";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { MqttConnection } from "../../src/config/mqtt-config.js";
import { MqttLink, type MqttMessage } from "../../src/devices/mqtt.js";

let folder: string;
let port: number;
let broker: Broker;
let other: MqttClient;
let link: MqttLink | null = null;

const connectionTo = (url: string, changes: Partial<MqttConnection> = {}): MqttConnection => ({
  url,
  username: null,
  password: null,
  ca: null,
  certificate: null,
  certificateKey: null,
  clientId: null,
  ...changes,
});

beforeAll(async () => {
  if (withoutMosquitto !== null) return;
  folder = await mkdtemp(join(tmpdir(), "curtail-agent-"));
  port = await freePort();
  broker = await startBroker(folder, port);
  other = await connectAsync(broker.url);
});

afterEach(async () => {
  await link?.close();
  link = null;
});

afterAll(async () => {
  if (withoutMosquitto !== null) return;
  await other.endAsync(true);
  await broker.stop();
  await rm(folder, { recursive: true, force: true });
});

const opened = async (connection = connectionTo(broker.url)): Promise<MqttLink> => {
  const opening = new MqttLink("broker", connection, { topic: "agent/status", payload: "offline" });
  link = opening;
  await expect.poll(() => opening.fault).toBeNull();
  return opening;
};

const heardOn = (subscriber: MqttLink, topic: string): MqttMessage[] => {
  const messages: MqttMessage[] = [];
  subscriber.subscribe(topic, (message) => messages.push(message));
  return messages;
};

const retainedOn = async (topic: string): Promise<string> => {
  const reader = await connectAsync(broker.url);
  const heard = new Promise<string>((resolve) => {
    reader.on("message", (_, payload) => resolve(payload.toString()));
  });
  await reader.subscribeAsync(topic);
  const text = await heard;
  await reader.endAsync(true);
  return text;
};

const named = withoutMosquitto === null ? test : test.skip;

named("a value that the broker kept is told apart from a new one", async () => {
  await other.publishAsync("power", "1", { retain: true });
  const messages = heardOn(await opened(), "power");
  await expect.poll(() => messages).toEqual([{ text: "1", isRetained: true }]);
  await other.publishAsync("power", "2", { retain: true });
  await expect.poll(() => messages.at(-1)).toEqual({ text: "2", isRetained: false });
});

named("values are written retained; a release clears the topic", async () => {
  const writer = await opened();
  await writer.write({ connection: "broker", topic: "limit", retain: true }, 42.5);
  expect(await retainedOn("limit")).toBe("42.5");
  await writer.write({ connection: "broker", topic: "limit", retain: true }, null);
  await writer.write({ connection: "broker", topic: "after", retain: true }, 1);
  const messages = heardOn(writer, "limit");
  const marks = heardOn(writer, "after");
  await expect.poll(() => marks).toHaveLength(1);
  expect(messages).toEqual([]);
});

named("a broker that restarts is found again, with its subscriptions; meanwhile a write fails at once", async () => {
  const subject = await opened();
  const messages = heardOn(subject, "again");
  await broker.stop();
  await expect.poll(() => subject.fault).not.toBeNull();
  await expect(subject.publish("limit", "1", true)).rejects.toThrow(/connect/);
  broker = await startBroker(folder, port);
  await expect.poll(() => subject.fault).toBeNull();
  await expect
    .poll(async () => {
      await other.publishAsync("again", "here");
      return messages.length;
    })
    .toBeGreaterThan(0);
});

named("over TLS a broker needs a certificate that is trusted", async () => {
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", [...kind, ...subject, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  const secure = await startBroker(folder, await freePort(), { certificate, key });
  const distrusting = new MqttLink("broker", connectionTo(secure.url), null);
  await expect.poll(() => distrusting.fault).toContain("self-signed");
  await distrusting.close();
  await opened(connectionTo(secure.url, { ca: await readFile(certificate, "utf8") }));
  await link?.close();
  link = null;
  await secure.stop();
});
