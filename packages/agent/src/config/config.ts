import type { BacnetConnection, BacnetPoint } from "./bacnet-config.js";
import type { ModbusConnection, ModbusPoint } from "./modbus-config.js";
import type { MqttConnection, MqttSource, MqttTarget } from "./mqtt-config.js";
import type { CommandTarget, CsvSource, HttpSource } from "./other-config.js";

/** Times are in milliseconds throughout. */
export interface AgentConfig {
  readonly service: ServiceConfig;
  /** Folder of what must outlive a restart. */
  readonly stateFolder: string;
  readonly log: "words" | "json";
  /** Port of the status page on 127.0.0.1; null: no page. */
  readonly statusPort: number | null;
  readonly connections: ReadonlyMap<string, ConnectionConfig>;
  /** Where the state of sites is published; null: nowhere. */
  readonly publish: PublishConfig | null;
  readonly sites: readonly SiteConfig[];
}

export interface ServiceConfig {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
  /** Where the key was read, to read it again; null: it is in no file. */
  readonly keyFile: KeyFile | null;
  readonly keyHeader: string;
  readonly pollMs: number;
}

export interface KeyFile {
  /** As the configuration has it. */
  readonly path: string;
  /** @throws if it cannot be read */
  read(): string;
}

export type ConnectionConfig =
  | ({ readonly protocol: "mqtt" } & MqttConnection)
  | ({ readonly protocol: "modbus" } & ModbusConnection)
  | ({ readonly protocol: "bacnet" } & BacnetConnection);

export interface PublishConfig {
  /** Name of an MQTT connection. */
  readonly connection: string;
  /** Topics begin with it. */
  readonly topic: string;
  /** Prefix of Home Assistant's discovery; null: none. */
  readonly discovery: string | null;
}

export interface SiteConfig {
  readonly id: string;
  /** For topics, pages and logs. */
  readonly name: string;
  readonly meters: readonly MeterConfig[];
  readonly control: ControlConfig;
  readonly outputs: readonly OutputConfig[];
  readonly override: OverrideInput | null;
}

export interface MeterConfig {
  readonly id: string;
  readonly name: string;
  readonly source: SourceConfig;
  readonly conversion: Conversion;
  readonly sampling: Sampling;
  /** How often a source that is asked is read. */
  readonly pollMs: number;
}

/** What turns a raw value into kW, and what kW are plausible. */
export interface Conversion {
  readonly unit: "W" | "kW" | "MW";
  readonly scale: number;
  readonly offset: number;
  /** What the source counts as positive. */
  readonly positive: "load" | "export";
  /** In kW, after conversion. */
  readonly range: readonly [number, number];
}

/** How values of an interval become one reading. */
export interface Sampling {
  readonly intervalMs: number;
  readonly method: "average" | "last";
  /** A value counts until then, unless another one comes. */
  readonly staleMs: number;
  /** Share of the interval that an average must cover. */
  readonly coverage: number;
  /** How long after its end values of an interval may still come. */
  readonly settleMs: number;
}

export type SourceConfig =
  | ({ readonly protocol: "mqtt" } & MqttSource)
  | ({ readonly protocol: "modbus" } & ModbusPoint)
  | ({ readonly protocol: "bacnet" } & BacnetPoint)
  | ({ readonly protocol: "http" } & HttpSource)
  | ({ readonly protocol: "csv" } & CsvSource);

export type TargetConfig =
  | ({ readonly protocol: "mqtt" } & MqttTarget)
  | ({ readonly protocol: "modbus" } & ModbusPoint)
  | ({ readonly protocol: "bacnet" } & BacnetPoint)
  | ({ readonly protocol: "command" } & CommandTarget);

/** When a site curtails. */
export interface ControlConfig {
  /** Begin so long before the start. */
  readonly leadMs: number;
  /** Commitments of dispatches at the same time are added, or the largest counts. */
  readonly overlap: "sum" | "max";
  readonly minimumOnMs: number;
  readonly minimumOffMs: number;
  /** null: no limit. */
  readonly maximumOnMs: number | null;
  /** The load before a curtailment is the mean over this time. */
  readonly referenceMs: number;
  readonly contact: ContactConfig;
}

/** What happens without contact with the service. */
export interface ContactConfig {
  /** Contact is lost after so long without an answer. */
  readonly lostAfterMs: number;
  readonly action: "keep" | "release" | "level";
  /** How long after the loss that happens. */
  readonly afterMs: number;
}

/** What a site writes. */
export interface OutputConfig {
  readonly name: string;
  readonly target: TargetConfig;
  /** While curtailing: a value, the commitment in kW, or the load before less the commitment in kW. */
  readonly curtail: number | "commitment" | "remaining";
  /** For a commitment of null (as much as possible), or where the load before is not known. */
  readonly full: number;
  /** null: the point is released (BACnet), or nothing is written. */
  readonly normal: number | null;
  /** For `contact: action: level`. */
  readonly failsafe: number | null;
  /** Bounds of the value, before `scale`. */
  readonly bounds: readonly [number, number];
  /** The value is multiplied by this and then written. */
  readonly scale: number;
  readonly ramp: Ramp | null;
  readonly repeatMs: number;
}

export interface Ramp {
  /** Largest change in a minute, in units of the value. */
  readonly perMinute: number;
  readonly everyMs: number;
}

/** A register or point on site: 0 none, 1 normal, 2 curtail. */
export type OverrideInput =
  | ({ readonly protocol: "modbus" } & ModbusPoint)
  | ({ readonly protocol: "bacnet" } & BacnetPoint);
