import type { ConfigValue } from "./config-value.js";

export interface ModbusConnection {
  readonly host: string;
  readonly port: number;
  /** Unit identifier (slave address). */
  readonly unit: number;
  readonly timeoutMs: number;
}

export interface ModbusPoint {
  readonly connection: string;
  readonly table: "holding" | "input" | "coil" | "discrete";
  /** As in the protocol, from 0. */
  readonly address: number;
  readonly type: "int16" | "uint16" | "int32" | "uint32" | "float32" | "bit";
  /** `big`: the high word first. */
  readonly wordOrder: "big" | "little";
}

export const readModbusConnection = (value: ConfigValue): ModbusConnection => {
  const at = value.members(["host", "port", "unit", "timeout"]);
  return {
    host: at.host.text("a host name or address"),
    port: at.port.or(502, (port) => port.whole({ min: 1, max: 65_535 })),
    unit: at.unit.or(1, (unit) => unit.whole({ min: 0, max: 255 })),
    timeoutMs: at.timeout.or(3_000, (timeout) => timeout.duration({ min: 1_000, max: 60_000 })),
  };
};

/** A point to read, or with `writes` one that can be written. */
export const readModbusPoint = (value: ConfigValue, use: "reads" | "writes"): ModbusPoint => {
  const at = value.members(["connection", "table", "address", "type", "word_order"]);
  const table = at.table.choice(["holding", "input", "coil", "discrete"]);
  if (use === "writes" && (table === "input" || table === "discrete"))
    at.table.fault(`${table} cannot be written; use holding or coil`);
  const isBit = table === "coil" || table === "discrete";
  const type = isBit ? at.type.or("bit", bitOf) : at.type.choice(["int16", "uint16", "int32", "uint32", "float32"]);
  return {
    connection: at.connection.text("the name of a connection"),
    table,
    address: at.address.whole({ min: 0, max: 65_535 }),
    type,
    wordOrder: at.word_order.or("big", (order) => order.choice(["big", "little"])),
  };
};

const bitOf = (type: ConfigValue): "bit" => {
  type.fault("leave it out: coils and discrete inputs have no type");
  return "bit";
};
