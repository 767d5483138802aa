import type { ConfigValue } from "./config-value.js";

export interface BacnetConnection {
  readonly host: string;
  readonly port: number;
  /** Local address to send from; null: any. */
  readonly bind: string | null;
  /** Local UDP port; connections that share it share a socket. */
  readonly localPort: number;
  readonly timeoutMs: number;
}

const BACNET_OBJECTS = [
  "analog-input",
  "analog-output",
  "analog-value",
  "binary-input",
  "binary-output",
  "binary-value",
  "multi-state-input",
  "multi-state-output",
  "multi-state-value",
] as const;
export type BacnetObject = (typeof BACNET_OBJECTS)[number];

export interface BacnetPoint {
  readonly connection: string;
  readonly object: BacnetObject;
  readonly instance: number;
  /** 1 (highest) to 16. */
  readonly priority: number;
}

export const readBacnetConnection = (value: ConfigValue): BacnetConnection => {
  const at = value.members(["host", "port", "bind", "local_port", "timeout"]);
  return {
    host: at.host.text("the address of the device"),
    port: at.port.or(47_808, (port) => port.whole({ min: 1, max: 65_535 })),
    bind: at.bind.or(null, (bind) => bind.text("a local address")),
    localPort: at.local_port.or(47_808, (port) => port.whole({ min: 1, max: 65_535 })),
    timeoutMs: at.timeout.or(3_000, (timeout) => timeout.duration({ min: 1_000, max: 60_000 })),
  };
};

/** ASHRAE 135 leaves 8 to operators by hand; automatic control comes below it. */
const DEFAULT_PRIORITY = 10;

export const readBacnetPoint = (value: ConfigValue, use: "reads" | "writes"): BacnetPoint => {
  const at = value.members(["connection", "object", "priority"]);
  const [object, instance] = splitObject(at.object);
  if (use === "writes" && object.endsWith("-input"))
    at.object.fault("inputs cannot be written; use an output or a value");
  if (use === "reads" && !at.priority.isMissing) at.priority.fault("leave it out: only what is written has a priority");
  return {
    connection: at.connection.text("the name of a connection"),
    object,
    instance,
    priority: at.priority.or(DEFAULT_PRIORITY, (priority) => priority.whole({ min: 1, max: 16 })),
  };
};

/** `analog-value 12` */
const splitObject = (value: ConfigValue): readonly [BacnetObject, number] => {
  const text = value.text("an object such as analog-input 3");
  const [, type = "", number = ""] = /^([a-z-]+)[ :,](\d{1,7})$/.exec(text) ?? [];
  const object = BACNET_OBJECTS.find((each) => each === type);
  if (object !== undefined && Number(number) <= 4_194_302) return [object, Number(number)];
  if (text !== "")
    value.fault(`must be a type and a number, such as analog-input 3; types: ${BACNET_OBJECTS.join(", ")}`);
  return ["analog-input", 0];
};
