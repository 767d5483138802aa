import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { operator } from "@curtail/contract";
import { freePort } from "@curtail/testing/free-port";
import { configurationOfPage, startConfigured, withoutMosquitto } from "@curtail/testing/mosquitto";
import { connectAsync, type MqttClient } from "mqtt";
import { now } from "./commit.js";
import type { BenchCluster } from "./database.js";
import { dispatchRounds, tellRounds } from "./dispatch-rounds.js";
import { type BenchService, startService } from "./service.js";

const VENS = 1000;
/** Clients are made and connected by this many at a time. */
const AT_ONCE = 8;
const RETRY_MS = 500;
const SERVICE_USER = { username: "curtail", password: "password-of-the-benchmark" };

interface Ven {
  readonly siteId: string;
  readonly client: MqttClient;
  /** When the next message has arrived. */
  next(): Promise<number>;
}

/** One dispatch for 1,000 accounts, each with a VEN that is subscribed to the events of its ven at mosquitto. */
export const mqtt = async (cluster: BenchCluster): Promise<void> => {
  if (withoutMosquitto !== null) throw new Error(withoutMosquitto);
  const folder = await mkdtemp(join(tmpdir(), "curtail-bench-mosquitto-"));
  const port = await freePort();
  const place = { folder, port, tls: null, administrator: SERVICE_USER };
  const broker = await startConfigured(folder, port, configurationOfPage(place));
  const database = await cluster.fresh("bench_mqtt");
  const service = await startService(database, {
    log: "ignore",
    settings: {
      CURTAIL_OPENADR3_MQTT_URL: broker.url,
      CURTAIL_OPENADR3_MQTT_USERNAME: SERVICE_USER.username,
      CURTAIL_OPENADR3_MQTT_PASSWORD: SERVICE_USER.password,
    },
  });
  const vens = await connectedVens(service);
  const siteIds = vens.map(({ siteId }) => siteId);
  const arrivals = () => Promise.all(vens.map((ven) => ven.next()));
  const rounds = await dispatchRounds({ cluster, database, service, siteIds, arrivals });
  await Promise.all(vens.map(({ client }) => client.endAsync(true)));
  tellRounds(`one dispatch to ${VENS} VENs over mosquitto`, rounds, "message");
  await service.stop();
  await broker.stop();
  await rm(folder, { recursive: true });
  await database.drop();
};

const connectedVens = async (service: BenchService): Promise<Ven[]> => {
  const vens: Ven[] = [];
  while (vens.length < VENS)
    vens.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => connectedVen(service)))));
  return vens.slice(0, VENS);
};

const connectedVen = async ({ operate, openadr3Url }: BenchService): Promise<Ven> => {
  const { id } = await operate(operator.createAccount, { body: { name: "Benchmark" } });
  const params = { id };
  const site = await operate(operator.createSite, { params, body: { name: "Site", meters: [{ name: "main" }] } });
  const made = await operate(operator.createOpenadrClient, { params, body: { name: `VEN of ${id}` } });
  const token = await tokenOf(openadr3Url, made.id, made.client_secret ?? "");
  const get = <T>(path: string) =>
    jsonOf<T>(`${openadr3Url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const { MQTT } = await get<{ MQTT: { URIS: string[]; authentication: { username: string; password: string } } }>(
    "/notifiers",
  );
  const { topics } = await get<{ topics: { ALL: string } }>(`/notifiers/mqtt/topics/vens/${made.ven_id}/events`);
  const client = await patiently(() => connectAsync(MQTT.URIS[0] ?? "", MQTT.authentication, false));
  await client.subscribeAsync(topics.ALL, { qos: 1 });
  return {
    siteId: site.id,
    client,
    // The event that asks for telemetry may still be on its way.
    next: () =>
      new Promise((resolve) => {
        const hear = (_topic: string, payload: Buffer): void => {
          if (!payload.includes("DISPATCH_SETPOINT_RELATIVE")) return;
          client.off("message", hear);
          resolve(now());
        };
        client.on("message", hear);
      }),
  };
};

const tokenOf = async (openadr3Url: string, client_id: string, client_secret: string): Promise<string> => {
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
  const reply = await jsonOf<{ access_token: string }>(`${openadr3Url}/auth/token`, { method: "POST", body });
  return reply.access_token;
};

const jsonOf = async <T>(url: string, options: RequestInit): Promise<T> => {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url} was answered ${response.status}`);
  return (await response.json()) as T;
};

/** The broker learns of a client within a second. */
const patiently = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await sleep(RETRY_MS);
    }
  }
};
