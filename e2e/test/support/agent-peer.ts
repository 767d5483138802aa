import { ApplicationTag } from "@bacnet-js/client";
import { freeUdpPort, startBacnetDevice } from "@curtail/testing/bacnet-device";
import { freePort } from "@curtail/testing/free-port";
import { startBroker, withoutMosquitto } from "@curtail/testing/mosquitto";
import { type DevicePoint, startPymodbus, withoutPymodbus } from "@curtail/testing/pymodbus";
import { connectAsync } from "mqtt";

/** A device or broker whose meter shows 420 kW, and which takes a limit. */
export interface AgentPeer {
  /** Members of the agent's configuration. */
  readonly connection: object;
  readonly source: object;
  readonly target: object;
  /** The limit that it holds; null: none. */
  held(): Promise<number | null>;
  stop(): Promise<void>;
}

export interface PeerKind {
  readonly name: string;
  /** Why it cannot be tested with; null: it can. */
  readonly missing: string | null;
  /** What the agent writes while nothing is dispatched. */
  readonly normal: number | "release";
  readonly start: (folder: string) => Promise<AgentPeer>;
}

const LOAD_KW = 420;

const pymodbus = async (): Promise<AgentPeer> => {
  const load = { table: "input", address: 10, type: "float32", word_order: "little" } as const;
  const limit: DevicePoint = { table: "holding", address: 20, type: "int32", word_order: "big" };
  const device = await startPymodbus([
    { ...load, value: LOAD_KW },
    { ...limit, value: 7 },
  ]);
  return {
    connection: { modbus: { host: "127.0.0.1", port: device.port } },
    source: { modbus: { connection: "Modbus", ...load } },
    target: { modbus: { connection: "Modbus", ...limit } },
    held: () => device.held(limit),
    stop: () => device.stop(),
  };
};

/** The meter publishes three times a second. */
const mosquitto = async (folder: string): Promise<AgentPeer> => {
  const broker = await startBroker(folder, await freePort());
  const client = await connectAsync(broker.url);
  const metering = setInterval(() => client.publish("meter", JSON.stringify({ power: LOAD_KW })), 300);
  let held: number | null = null;
  client.on("message", (_, payload) => (held = payload.length === 0 ? null : Number(payload.toString())));
  await client.subscribeAsync("limit");
  return {
    connection: { mqtt: { url: broker.url } },
    source: { mqtt: { connection: "MQTT", topic: "meter", path: "power" } },
    target: { mqtt: { connection: "MQTT", topic: "limit" } },
    held: async () => held,
    async stop() {
      clearInterval(metering);
      await client.endAsync(true);
      await broker.stop();
    },
  };
};

const bacnet = async (): Promise<AgentPeer> => {
  const port = await freeUdpPort();
  const device = await startBacnetDevice(port);
  device.values.set("0:1", { type: ApplicationTag.REAL, value: LOAD_KW });
  return {
    connection: { bacnet: { host: "127.0.0.1", port, bind: "127.0.0.1", local_port: await freeUdpPort() } },
    source: { bacnet: { connection: "BACnet", object: "analog-input 1" } },
    target: { bacnet: { connection: "BACnet", object: "analog-value 4" } },
    async held() {
      const value = device.written.at(-1)?.value;
      return typeof value === "number" ? value : null;
    },
    stop: async () => device.close(),
  };
};

export const peerKinds: readonly PeerKind[] = [
  { name: "Modbus", missing: withoutPymodbus, normal: 100, start: pymodbus },
  { name: "MQTT", missing: withoutMosquitto, normal: "release", start: mosquitto },
  { name: "BACnet", missing: null, normal: "release", start: bacnet },
];
