import fc from "fast-check";
import type { AgentConfig } from "../../../src/config/config.js";
import { parseConfig } from "../../../src/config/read-config.js";

const duration = (...of: readonly string[]) => fc.constantFrom(...of);
const level = fc.integer({ min: -300, max: 70_000 });

const registers = (table: readonly string[]) =>
  fc.record({
    modbus: fc.record({
      connection: fc.constant("plc"),
      table: fc.constantFrom(...table),
      address: fc.nat(65_535),
      type: fc.constantFrom("int16", "uint16", "int32", "float32"),
    }),
  });
const topic = fc.constant({ mqtt: { connection: "broker", topic: "some/topic" } });
const object = (...of: readonly string[]) =>
  fc.constantFrom(...of).map((each) => ({ bacnet: { connection: "bms", object: each } }));

const meter = fc.record(
  {
    unit: fc.constantFrom("W", "kW", "MW"),
    range: fc.tuple(fc.integer({ min: -1_000, max: 0 }), fc.integer({ min: 1, max: 9_000 })),
    positive: fc.constantFrom("load", "export"),
    scale: fc.constantFrom(1, 0.1, 10),
    interval: duration("30s", "60s", "5m"),
    poll: duration("5s", "10s"),
    method: fc.constantFrom("average", "last"),
    source: fc.oneof(
      registers(["holding", "input"]),
      topic,
      object("analog-input 3", "analog-value 1"),
      fc.constant({ http: { url: "http://192.0.2.30/status" } }),
      fc.constant({ csv: { file: "/var/lib/meter.csv", column: "kW" } }),
    ),
  },
  { requiredKeys: ["unit", "range", "source"] },
);

const output = fc
  .record(
    {
      to: fc.oneof(
        registers(["holding"]),
        topic,
        object("analog-value 4", "binary-output 2", "multi-state-value 3"),
        fc.constant({ command: { file: "/usr/local/bin/log-dispatch" } }),
      ),
      curtail: fc.oneof(level, fc.boolean(), fc.constantFrom("commitment", "remaining")),
      normal: fc.oneof(level, fc.constant("release")),
      failsafe: level,
      full: level,
      scale: fc.constantFrom(1, 10, 0.5),
      ramp: fc.record({ per_minute: fc.integer({ min: 1, max: 600 }), every: duration("5s", "30s") }),
      repeat: duration("30s", "24h"),
    },
    { requiredKeys: ["to", "curtail", "normal", "failsafe", "full"] },
  )
  .map(({ full, normal, ...rest }) => ({
    ...rest,
    ...(typeof rest.curtail === "string" ? { full } : {}),
    normal: "modbus" in rest.to && normal === "release" ? 0 : normal,
  }));

const control = fc.record(
  {
    lead: duration("0s", "5m"),
    overlap: fc.constantFrom("sum", "max"),
    minimum_on: duration("0s", "10m", "45m"),
    minimum_off: duration("0s", "15m", "2h"),
    maximum_on: duration("1h", "4h"),
    contact: fc.record({
      lost_after: duration("10s", "5m", "3h"),
      action: fc.constantFrom("keep", "release", "level"),
      after: duration("0s", "30m"),
    }),
  },
  { requiredKeys: [] },
);

/** Any configuration that is read without a fault. */
export const anyConfig: fc.Arbitrary<AgentConfig> = fc
  .array(
    fc.record({
      control,
      meters: fc.array(meter, { minLength: 1, maxLength: 3 }),
      outputs: fc.array(output, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((sites) => configOf(sites));

type Members = Readonly<Record<string, unknown>>;

const configOf = (
  sites: ReadonlyArray<{ control: Members; meters: readonly Members[]; outputs: readonly Members[] }>,
): AgentConfig => {
  const text = JSON.stringify({
    service: { url: "https://curtail.example.com", key_file: "agent.key", poll: "10s" },
    state: "/var/lib/curtail-agent",
    connections: {
      plc: { modbus: { host: "192.0.2.10" } },
      broker: { mqtt: { url: "mqtt://192.0.2.11", password_file: "broker.password" } },
      bms: { bacnet: { host: "192.0.2.12" } },
    },
    publish: { connection: "broker", discovery: "homeassistant" },
    sites: sites.map(({ meters, outputs, ...site }, index) => ({
      id: `site_${index}`,
      name: `Site ${index}`,
      ...site,
      meters: meters.map((each, at) => ({ id: `mtr_${index}_${at}`, ...each })),
      outputs: outputs.map((each, at) => ({ name: `output ${at}`, ...each })),
    })),
  });
  const read = parseConfig(text, { environment: {}, readText: () => "", isWithoutSecrets: true });
  if ("faults" in read) throw new Error(`${JSON.stringify(read.faults)} in ${text}`);
  return read.config;
};
