import { connect, type IClientOptions, type MqttClient } from "mqtt";
import type { MqttConnection, MqttTarget } from "../config/mqtt-config.js";
import type { Link, Writer } from "./device.js";
import { withinTime } from "./within-time.js";

/** A message that a subscription received. */
export interface MqttMessage {
  readonly text: string;
  /** The broker kept it from before the subscription: it may be old. */
  readonly isRetained: boolean;
}

/** What the broker publishes, retained, if this process disappears. */
export interface LastWill {
  readonly topic: string;
  readonly payload: string;
}

type Listener = (message: MqttMessage) => void;

const RECONNECT_MS = 2_000;
const LIMIT_MS = 10_000;

/** A connection to a broker, which is opened again whenever it is lost. */
export class MqttLink implements Link, Writer<MqttTarget> {
  private readonly client: MqttClient;
  private readonly listeners = new Map<string, Listener[]>();
  /** A site may have many meters: each as a listener of the client would look like a leak. */
  private readonly watchers: Array<(trouble: string | null) => void> = [];
  private trouble = "is not connected yet";

  constructor(
    /** In words, with its address. */
    readonly name: string,
    connection: MqttConnection,
    will: LastWill | null,
  ) {
    this.client = connect(connection.url, optionsOf(connection, will));
    this.client.on("error", (error) => {
      this.trouble = error.message || "cannot be reached";
    });
    this.client.on("close", () => {
      if (this.trouble === "") this.trouble = "the connection was lost";
      for (const watcher of this.watchers) watcher(this.fault);
    });
    this.client.on("connect", () => {
      this.trouble = "";
      for (const watcher of this.watchers) watcher(null);
    });
    this.client.on("message", (topic, payload, { retain }) => {
      for (const listener of this.listeners.get(topic) ?? [])
        listener({ text: payload.toString(), isRetained: retain });
    });
  }

  /** Why there is no connection; null: there is one. */
  get fault(): string | null {
    return this.client.connected ? null : this.trouble || "there is no connection";
  }

  /** Called after each connect; at once if there is a connection. */
  onConnect(listener: () => void): void {
    this.client.on("connect", listener);
    if (this.client.connected) listener();
  }

  /** Called with why the connection is lost or not made, and with null once it is there. */
  onTrouble(listener: (trouble: string | null) => void): void {
    this.watchers.push(listener);
    if (!this.client.connected) listener(this.fault);
  }

  /** The library subscribes again after each connect. `refused` is called if the broker does not allow it. */
  subscribe(topic: string, listener: Listener, refused: (why: string) => void = () => {}): void {
    const before = this.listeners.get(topic);
    this.listeners.set(topic, [...(before ?? []), listener]);
    if (before === undefined)
      this.client.subscribe(topic, { qos: 1 }, (error) => {
        if (error !== null && this.client.connected) refused(error.message);
      });
  }

  /** @throws without a connection: a message that waits would be old when it goes out */
  async publish(topic: string, text: string, retain: boolean): Promise<void> {
    if (!this.client.connected) throw new Error(this.fault ?? "there is no connection");
    const sent = this.client.publishAsync(topic, text, { qos: 1, retain });
    await withinTime(sent, LIMIT_MS, "the broker did not confirm the message");
  }

  async write({ topic, retain }: MqttTarget, value: number | null): Promise<void> {
    await this.publish(topic, value === null ? "" : String(value), retain);
  }

  async close(): Promise<void> {
    await this.client.endAsync(!this.client.connected);
  }
}

const optionsOf = (connection: MqttConnection, will: LastWill | null): IClientOptions => ({
  reconnectPeriod: RECONNECT_MS,
  connectTimeout: LIMIT_MS,
  // A wrong password may be corrected at the broker while this runs.
  reconnectOnConnackError: true,
  queueQoSZero: false,
  ...(connection.username === null ? {} : { username: connection.username }),
  ...(connection.password === null ? {} : { password: connection.password }),
  ...(connection.ca === null ? {} : { ca: connection.ca }),
  ...(connection.certificate === null ? {} : { cert: connection.certificate }),
  ...(connection.certificateKey === null ? {} : { key: connection.certificateKey }),
  ...(connection.clientId === null ? {} : { clientId: connection.clientId }),
  ...(will === null ? {} : { will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: true } }),
});
