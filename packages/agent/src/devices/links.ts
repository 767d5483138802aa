import type { BacnetConnection } from "../config/bacnet-config.js";
import type { AgentConfig, ConnectionConfig, OverrideInput, SourceConfig, TargetConfig } from "../config/config.js";
import { type BacnetClient, BacnetLink, openBacnet } from "./bacnet.js";
import { commandWriter } from "./command.js";
import { messageOf, type PointResult, type WriteContext } from "./device.js";
import { httpReader } from "./http.js";
import { ModbusLink } from "./modbus.js";
import { type LastWill, MqttLink } from "./mqtt.js";
import { deviceOf, placeOf } from "./place.js";

/** Sources that are asked; the others send by themselves, or are files. */
export type AskedSource = Extract<SourceConfig | OverrideInput, { readonly protocol: "modbus" | "bacnet" | "http" }>;

/** All connections of a configuration, and the devices behind them. */
export class Links {
  private readonly mqttLinks = new Map<string, MqttLink>();
  private readonly modbusLinks = new Map<string, ModbusLink>();
  private readonly bacnetLinks = new Map<string, BacnetLink>();
  private readonly bacnetClients = new Map<string, BacnetClient>();

  private readonly connections: AgentConfig["connections"];

  constructor({ connections, publish }: AgentConfig, will: LastWill | null) {
    this.connections = connections;
    for (const [name, connection] of connections)
      this.open(name, connection, publish?.connection === name ? will : null);
  }

  /** Faults name the device and the point. */
  private named(points: readonly AskedSource[], results: readonly PointResult[]): readonly PointResult[] {
    return results.map((result, index) => {
      const point = points[index];
      if ("value" in result || point === undefined) return result;
      return { fault: `${placeOf(point, this.connections)}: ${result.fault}` };
    });
  }

  mqtt(name: string): MqttLink {
    return linkOf(this.mqttLinks, name);
  }

  /** Reads points of one connection, or of HTTP, together. */
  async read(sources: readonly AskedSource[]): Promise<readonly PointResult[]> {
    const [first] = sources;
    if (first === undefined) return [];
    switch (first.protocol) {
      case "modbus": {
        const points = sources.filter((each) => each.protocol === "modbus");
        return this.named(points, await linkOf(this.modbusLinks, first.connection).read(points));
      }
      case "bacnet": {
        const points = sources.filter((each) => each.protocol === "bacnet");
        return this.named(points, await linkOf(this.bacnetLinks, first.connection).read(points));
      }
      case "http":
        return await httpReader.read(sources.filter((each) => each.protocol === "http"));
    }
  }

  /** @throws if the device did not confirm it, naming the device and the point */
  async write(target: TargetConfig, value: number | null, context: WriteContext): Promise<void> {
    try {
      await this.writeThrough(target, value, context);
    } catch (cause) {
      if (target.protocol === "command") throw cause;
      throw new Error(`${placeOf(target, this.connections)}: ${messageOf(cause)}`, { cause });
    }
  }

  private async writeThrough(target: TargetConfig, value: number | null, context: WriteContext): Promise<void> {
    switch (target.protocol) {
      case "mqtt":
        return await this.mqtt(target.connection).write(target, value);
      case "modbus":
        return await linkOf(this.modbusLinks, target.connection).write(target, value);
      case "bacnet":
        return await linkOf(this.bacnetLinks, target.connection).write(target, value);
      case "command":
        return await commandWriter.write(target, value, context);
    }
  }

  /** What a target holds now; null where that cannot be asked. */
  async readBack(target: TargetConfig): Promise<PointResult | null> {
    switch (target.protocol) {
      case "modbus":
      case "bacnet":
        return (await this.read([target]))[0] ?? null;
      case "mqtt":
      case "command":
        return null;
    }
  }

  async close(): Promise<void> {
    const links = [...this.mqttLinks.values(), ...this.modbusLinks.values()];
    await Promise.allSettled(links.map((link) => link.close()));
    for (const client of this.bacnetClients.values()) client.close();
  }

  private open(name: string, connection: ConnectionConfig, will: LastWill | null): void {
    switch (connection.protocol) {
      case "mqtt":
        this.mqttLinks.set(name, new MqttLink(deviceOf(name, this.connections), connection, will));
        return;
      case "modbus":
        this.modbusLinks.set(name, new ModbusLink(connection));
        return;
      case "bacnet":
        this.bacnetLinks.set(name, new BacnetLink(this.bacnetClient(connection), connection));
    }
  }

  private bacnetClient(connection: BacnetConnection): BacnetClient {
    const local = `${connection.bind ?? ""}:${connection.localPort}`;
    const client = this.bacnetClients.get(local) ?? openBacnet(connection);
    this.bacnetClients.set(local, client);
    return client;
  }
}

const linkOf = <T>(links: ReadonlyMap<string, T>, name: string): T => {
  const link = links.get(name);
  if (link === undefined) throw new Error(`there is no connection ${name}`);
  return link;
};
