import type { AgentConfig, OverrideInput, SourceConfig, TargetConfig } from "../config/config.js";

type Connections = AgentConfig["connections"];

/** A point in words: name and address of its device, and its register, object or topic there. */
export const placeOf = (point: SourceConfig | TargetConfig | OverrideInput, connections: Connections): string => {
  switch (point.protocol) {
    case "modbus":
      return `${deviceOf(point.connection, connections)}, ${point.table} ${point.address}`;
    case "bacnet":
      return `${deviceOf(point.connection, connections)}, ${point.object} ${point.instance}`;
    case "mqtt":
      return `${deviceOf(point.connection, connections)}, topic ${point.topic}`;
    case "http":
      return addressOf(point.url);
    case "csv":
    case "command":
      return point.file;
  }
};

/** A connection in words: `plc (192.0.2.10:502, unit 1)`. */
export const deviceOf = (name: string, connections: Connections): string => {
  const connection = connections.get(name);
  switch (connection?.protocol) {
    case "modbus":
      return `${name} (${connection.host}:${connection.port}, unit ${connection.unit})`;
    case "bacnet":
      return `${name} (${connection.host}:${connection.port})`;
    case "mqtt":
      return `${name} (${addressOf(connection.url)})`;
    case undefined:
      return name;
  }
};

/** An address without what may be secret: user, password, query, fragment. */
export const addressOf = (url: string): string => {
  const { protocol, host, pathname } = new URL(url);
  // Behind an unescaped slash of a password, its rest looks like a path.
  const path = pathname.includes("@") ? "/…" : pathname;
  return `${protocol}//${host}${path === "/" ? "" : path}`;
};
