import type { Site } from "./participant.js";

/** The service has no such meter, and refuses its readings. */
export const UNKNOWN_METER = "mtr_unknown";
export const LIMIT_REGISTER = 20;

export interface OutageAgent {
  readonly service: { readonly url: string; readonly key: string };
  /** Folder. */
  readonly state: string;
  /** Port of the Modbus device. */
  readonly port: number;
  readonly sites: readonly Site[];
}

/** The configuration of an agent that reads all sites and controls the first; JSON is YAML, too. */
export const outageConfig = ({ service, state, port, sites }: OutageAgent): string =>
  JSON.stringify({
    service: { ...service, poll: "5m" },
    state,
    status: false,
    connections: { plc: { modbus: { host: "127.0.0.1", port } } },
    sites: sites.map(siteConfig),
  });

const siteConfig = ({ id, meterId }: Site, index: number) =>
  index > 0
    ? { id, meters: [meterConfig(meterId, 10 + index, "60s")], outputs: [] }
    : { id, meters: [meterConfig(meterId, 10, "60s"), meterConfig(UNKNOWN_METER, 9, "300s")], outputs: [limit] };

const meterConfig = (id: string, address: number, interval: string) => ({
  id,
  interval,
  unit: "kW",
  range: [0, 65_535],
  method: "last",
  poll: "30s",
  stale_after: "15m",
  source: { modbus: { connection: "plc", table: "input", address, type: "uint16" } },
});

const limit = {
  name: "limit",
  to: { modbus: { connection: "plc", table: "holding", address: LIMIT_REGISTER, type: "uint16" } },
  curtail: "commitment",
  full: 0,
  normal: 65_535,
  repeat: "1h",
};
