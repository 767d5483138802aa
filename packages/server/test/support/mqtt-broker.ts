import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEndOfUse } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { type Broker, configurationOfPage, startConfigured } from "@curtail/testing/mosquitto";
import { connect, type IClientOptions, type MqttClient } from "mqtt";
import { expect, vi } from "vitest";
import type { Client31, Vtn } from "./openadr-3.js";
import { faultOfNotification } from "./openadr-3-document.js";

/** The service's user at the broker. */
export const SERVICE = { username: "curtail", password: "password-of-the-service" };

export interface TestBroker {
  /** Settings of a service that publishes to it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly url: string;
  readonly folder: string;
  /** Stops it, and lets it start again at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface BrokerOptions {
  readonly tls?: { readonly ca: string; readonly certificate: string; readonly key: string };
  /** Whether it keeps sessions while it is stopped, with what their subscribers have not received yet. */
  readonly keepsSessions?: boolean;
  /** Further lines of its configuration. */
  readonly lines?: readonly string[];
  /** Set up as the page said before it denied by default, and bound client identifiers to users. */
  readonly asBefore?: boolean;
}

/** A mosquitto as the page sets it up, with access per client, given by the service. */
export const mosquittoWithUsers = async ({
  tls,
  keepsSessions = false,
  lines = [],
  asBefore = false,
}: BrokerOptions = {}): Promise<TestBroker> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-mosquitto-"));
  const port = await freePort();
  const page = configurationOfPage({ folder, port, tls: tls ?? null, administrator: SERVICE, asBefore });
  const sessions = keepsSessions ? ["persistence true", `persistence_location ${folder}/`] : [];
  const configuration = [...sessions, ...lines, page].join("\n");
  let broker: Broker | null = null;
  const start = async () => {
    broker = await startConfigured(folder, port, configuration);
  };
  await start();
  atEndOfUse(async () => {
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const url = `${tls === undefined ? "mqtt" : "mqtts"}://localhost:${port}`;
  return {
    url,
    folder,
    start,
    stop: async () => broker?.stop(),
    settings: {
      CURTAIL_OPENADR3_MQTT_URL: url,
      CURTAIL_OPENADR3_MQTT_USERNAME: SERVICE.username,
      CURTAIL_OPENADR3_MQTT_PASSWORD: SERVICE.password,
      ...(tls === undefined ? {} : { CURTAIL_OPENADR3_MQTT_CA: tls.ca }),
    },
  };
};

export interface Heard {
  readonly topic: string;
  // a notification of any object
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly retain: boolean;
}

export interface Subscriber {
  readonly client: MqttClient;
  readonly heard: Heard[];
  /** Return codes of a subscription: the granted quality of service, or 128. */
  subscribe(...filters: readonly string[]): Promise<number[]>;
  /** The notifications of an object, once there are this many. */
  about(id: string, many?: number, timeout?: number): Promise<Heard[]>;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** How a client reaches the broker, as it is told. */
export const credentialsOf = async (client: Client31): Promise<Credentials> => {
  const { username, password } = (await client.notifiers()).body.MQTT.authentication;
  return { username, password: password ?? client.token ?? "" };
};

/** Connects; every message that it hears is held to the official document. */
export const subscriberAt = async (
  url: string,
  credentials: Partial<Credentials>,
  options: IClientOptions = {},
): Promise<Subscriber> => {
  const client = connect(url, { ...credentials, reconnectPeriod: 200, ...options });
  const heard: Heard[] = [];
  // Before it is connected: what a session has kept arrives at once.
  client.on("message", (topic, payload, { retain }) => {
    heard.push({ topic, body: JSON.parse(payload.toString()), retain });
  });
  await connected(client);
  atEndOfUse(() => client.endAsync(true));
  return {
    client,
    heard,
    subscribe: (...filters) => granted(client, filters),
    async about(id, many = 1, timeout = 10_000) {
      const about = () => heard.filter(({ body }) => body.object.id === id);
      await expect.poll(() => about().length, { timeout }).toBeGreaterThanOrEqual(many);
      for (const { body } of about()) expect(faultOfNotification(body)).toBeNull();
      return about();
    },
  };
};

const connected = (client: MqttClient): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      client.end(true);
      reject(error);
    };
    client.once("error", fail);
    client.once("connect", () => {
      client.off("error", fail);
      resolve();
    });
  });

const granted = (client: MqttClient, filters: readonly string[]): Promise<number[]> =>
  new Promise((resolve, reject) => {
    client.subscribe([...filters], { qos: 1 }, (error, grants, packet) => {
      const codes = packet?.granted as number[] | undefined;
      if (codes !== undefined) resolve(codes);
      else if (error !== null) reject(error);
      else resolve((grants ?? []).map(({ qos }) => qos));
    });
  });

/** Waits until the broker knows a client. */
export const connectedTo = async (url: string, client: Client31, options: IClientOptions = {}): Promise<Subscriber> => {
  const credentials = await credentialsOf(client);
  return vi.waitFor(() => subscriberAt(url, credentials, options), { timeout: 15_000, interval: 100 });
};

/** Topics of all operations, as a client is told them. */
export const topicsFor = async (client: Client31, name: Parameters<Vtn["bad"]["topics"]>[0], id?: string) =>
  Object.values((await client.topics(name, id)).body.topics as Record<string, string>);

/** The ven that was made with a client. */
export const venIdOf = async (client: Client31): Promise<string> => (await client.vens.search()).body[0].id;
