import { readBacnetPoint } from "./bacnet-config.js";
import type { Conversion, MeterConfig, Sampling, SourceConfig } from "./config.js";
import type { ConfigValue } from "./config-value.js";
import { readModbusPoint } from "./modbus-config.js";
import { readMqttSource } from "./mqtt-config.js";
import { readCsvSource, readHttpSource } from "./other-config.js";

/** Intervals that the service takes: 30 s steps up to 5 minutes. */
const STEP_MS = 30_000;
const LONGEST_MS = 300_000;
const SECOND_MS = 1_000;

export const readMeter = (value: ConfigValue): MeterConfig | null => {
  const at = value.members([
    ...(["id", "name", "source", "poll", "unit", "scale", "offset", "positive", "range"] as const),
    ...(["interval", "method", "stale_after", "coverage", "settle"] as const),
  ]);
  const id = at.id.text("the id of the meter, mtr_…");
  const sampling = readSampling(at);
  const conversion = readConversion(at);
  const pollMs = at.poll.or(10_000, (poll) => poll.duration({ min: SECOND_MS, max: sampling.intervalMs }));
  const source = readSource(at.source);
  if (source === null) return null;
  return { id, name: at.name.or(id, (name) => name.text()), source, conversion, sampling, pollMs };
};

type SamplingNames = "interval" | "method" | "stale_after" | "coverage" | "settle";

const readSampling = (at: Readonly<Record<SamplingNames, ConfigValue>>): Sampling => {
  const intervalMs = at.interval.or(60_000, (interval) => interval.duration({ min: STEP_MS, max: LONGEST_MS }));
  if (intervalMs % STEP_MS !== 0) at.interval.fault("must be divisible by 30s");
  return {
    intervalMs,
    method: at.method.or("average", (method) => method.choice(["average", "last"])),
    staleMs: at.stale_after.or(60_000, (stale) => stale.duration({ min: SECOND_MS, max: 900_000 })),
    coverage: at.coverage.or(0.8, (coverage) => coverage.number({ min: 0.1, max: 1 })),
    settleMs: at.settle.or(2 * SECOND_MS, (settle) => settle.duration({ max: 300_000 })),
  };
};

type ConversionNames = "unit" | "scale" | "offset" | "positive" | "range";

const readConversion = (at: Readonly<Record<ConversionNames, ConfigValue>>): Conversion => ({
  // Without a default: a unit that is guessed is wrong by a factor of a thousand.
  unit: at.unit.choice(["W", "kW", "MW"]),
  scale: at.scale.or(1, (scale) => scale.number()),
  offset: at.offset.or(0, (offset) => offset.number()),
  positive: at.positive.or("load", (positive) => positive.choice(["load", "export"])),
  range: readRange(at.range),
});

/** What the service takes: ±10 GW. */
const LARGEST_KW = 10_000_000;

const readRange = (value: ConfigValue): readonly [number, number] => {
  const items = value.items();
  const [from, to] = items.map((item) => item.number({ min: -LARGEST_KW, max: LARGEST_KW }));
  if (items.length === 2 && from !== undefined && to !== undefined && from < to) return [from, to];
  value.fault(
    value.isMissing ? "is missing: give the plausible kW, such as [0, 500]" : "must be [lowest, highest] in kW",
  );
  return [0, 0];
};

const readSource = (value: ConfigValue): SourceConfig | null => {
  const variant = value.variant(["mqtt", "modbus", "bacnet", "http", "csv"]);
  if (variant === null) return null;
  const [protocol, given] = variant;
  switch (protocol) {
    case "mqtt":
      return { protocol, ...readMqttSource(given) };
    case "modbus":
      return { protocol, ...readModbusPoint(given, "reads") };
    case "bacnet":
      return { protocol, ...readBacnetPoint(given, "reads") };
    case "http":
      return { protocol, ...readHttpSource(given) };
    case "csv":
      return { protocol, ...readCsvSource(given) };
  }
};
