import { connect, type IClientOptions, type IConnackPacket, type MqttClient } from "mqtt";
import type { LoopClock } from "../../platform/clock.js";
import { within } from "../../platform/within.js";
import type { BrokerMessage } from "../operations/publication.js";

/** How the service reaches an outside broker. */
export interface BrokerConnection {
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
  /** Whether to learn how the broker names sessions: it is asked to choose the client identifier. */
  readonly asksForIdentifier: boolean;
  /** Read again for each connection, so that renewed certificates need no restart. */
  readonly tls: () => Promise<Pick<IClientOptions, "ca" | "cert" | "key">>;
}

/** The broker did not take a message. */
export class BrokerRefusal extends Error {
  constructor(
    message: string,
    /** Of MQTT 5; null: it did not answer, or the connection was lost. */
    readonly code: number | null,
  ) {
    super(message);
  }
}

/** An open connection to a broker. */
export interface Connected {
  /** How many messages it takes before it acknowledges one. */
  readonly window: number;
  /** Chosen by the broker; null: it was not asked to choose one. */
  readonly assignedIdentifier: string | null;
  /** The largest message that it announced to take, in bytes. */
  readonly maxBytes: number;
  /** Resolves once the broker has the message. Throws `BrokerRefusal`. */
  publish(message: BrokerMessage): Promise<void>;
  readonly client: MqttClient;
  readonly isOpen: boolean;
}

const CONNECT_MS = 10_000;
const CLOSE_MS = 1000;
const KEEPALIVE_SECONDS = 15;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;
/** More in flight make nothing faster. */
const MAX_WINDOW = 1000;
/** How brokers refuse an empty client identifier: "Client Identifier not valid", and mosquitto "Unspecified error". */
const identifierRefusals: readonly number[] = [0x85, 0x80];
/** Of the packet without topic and body. */
const OVERHEAD_BYTES = 16;

/** Keeps one connection to a broker, with a longer pause after each failure. */
export class BrokerLink {
  private connected: Connected | null = null;
  private failures = 0;
  private nextTryMs = 0;
  private trouble = "not connected yet";
  /** The broker does not choose client identifiers. */
  private mustChoose = false;

  constructor(
    private readonly connection: BrokerConnection,
    private readonly clock: Pick<LoopClock, "monotonicMs">,
  ) {}

  /** Why there is no connection; null: there is one. */
  get fault(): string | null {
    return this.connected?.isOpen === true ? null : this.trouble;
  }

  /** The open connection; opens one if there is none. null: that failed, or it rests. */
  async open(): Promise<Connected | null> {
    if (this.connected?.isOpen === true) return this.connected;
    if (this.isResting) return null;
    try {
      this.connected = await this.connect();
      return this.connected;
    } catch (error) {
      if (identifierRefusals.includes(codeOf(error) ?? 0)) this.mustChoose = true;
      this.fail(error instanceof Error && error.message !== "" ? error.message : "it cannot be reached");
      return null;
    }
  }

  /** The open connection; null: there is none. */
  get client(): MqttClient | null {
    return this.connected?.isOpen === true ? this.connected.client : null;
  }

  /** Whether the pause after a failure lasts. */
  get isResting(): boolean {
    return this.connected?.isOpen !== true && this.clock.monotonicMs() < this.nextTryMs;
  }

  /** The broker takes messages: the next failure is the first. */
  works(): void {
    this.failures = 0;
  }

  /** Breaks the connection, and rests: what is in flight counts as not published. */
  fail(why: string): void {
    this.leave();
    this.trouble = why;
    this.nextTryMs = this.clock.monotonicMs() + delayAfterMs(++this.failures);
  }

  /** Breaks the connection: another process publishes. */
  leave(): void {
    this.connected?.client.end(true);
    this.connected = null;
  }

  /** For good; what is in flight has a moment to be acknowledged. */
  async close(): Promise<void> {
    this.nextTryMs = Number.POSITIVE_INFINITY;
    const client = this.connected?.client;
    if (client?.connected === true) await within(client.endAsync(), CLOSE_MS, () => undefined);
    this.leave();
  }

  private async connect(): Promise<Connected> {
    const { url, username, password, tls, asksForIdentifier } = this.connection;
    const client = connect(url, {
      ...(await tls()),
      // Only version 5 says that a message was refused.
      protocolVersion: 5,
      clean: true,
      // A new client for each connection: the library would publish again, out of order, what it has in flight.
      reconnectPeriod: 0,
      connectTimeout: CONNECT_MS,
      keepalive: KEEPALIVE_SECONDS,
      ...(asksForIdentifier && !this.mustChoose ? { clientId: "" } : {}),
      ...(username === null ? {} : { username }),
      ...(password === null ? {} : { password }),
    });
    const connack = await connackOf(client);
    // After an answer that it does not understand, the library reads nothing more.
    client.on("error", () => client.end(true));
    client.once("close", () => client.end(true));
    return connectionOf(client, connack);
  }
}

/** 1 s, doubled after each failure, up to a minute. */
export const delayAfterMs = (failures: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);

const connackOf = (client: MqttClient): Promise<IConnackPacket> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      client.end(true);
      reject(error);
    };
    client.once("connect", resolve);
    client.once("error", fail);
    client.once("close", () => fail(new Error("the broker closed the connection")));
    // Errors after the first one would end the process.
    client.on("error", () => {});
  });

const connectionOf = (client: MqttClient, { properties }: IConnackPacket): Connected => {
  const waiting = new Set<(refusal: BrokerRefusal) => void>();
  client.once("close", () => {
    for (const reject of waiting) reject(connectionLost());
  });
  return {
    client,
    assignedIdentifier: properties?.assignedClientIdentifier ?? null,
    window: Math.min(properties?.receiveMaximum ?? MAX_WINDOW, MAX_WINDOW),
    maxBytes: (properties?.maximumPacketSize ?? Number.POSITIVE_INFINITY) - OVERHEAD_BYTES,
    get isOpen() {
      return client.connected;
    },
    publish: ({ topic, body }) =>
      new Promise((resolve, reject) => {
        if (!client.connected) return reject(connectionLost());
        waiting.add(reject);
        client.publish(topic, body, { qos: 1, properties: { contentType: "application/json" } }, (error) => {
          waiting.delete(reject);
          if (error === undefined || error === null) resolve();
          else reject(new BrokerRefusal(error.message, codeOf(error)));
        });
      }),
  };
};

const connectionLost = (): BrokerRefusal => new BrokerRefusal("the connection was lost", null);

const codeOf = (error: unknown): number | null =>
  error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : null;
