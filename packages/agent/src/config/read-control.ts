import { readBacnetPoint } from "./bacnet-config.js";
import type { ContactConfig, ControlConfig, OutputConfig, OverrideInput, Ramp, TargetConfig } from "./config.js";
import type { ConfigValue } from "./config-value.js";
import { readModbusPoint } from "./modbus-config.js";
import { readMqttTarget } from "./mqtt-config.js";
import { readCommand } from "./other-config.js";

const DAY_MS = 86_400_000;

export const readControl = (value: ConfigValue): ControlConfig => {
  const at = value.members([
    ...(["lead", "overlap", "minimum_on", "minimum_off", "maximum_on", "reference", "contact"] as const),
  ]);
  return {
    leadMs: at.lead.or(0, (lead) => lead.duration({ max: DAY_MS })),
    overlap: at.overlap.or("sum", (overlap) => overlap.choice(["sum", "max"])),
    minimumOnMs: at.minimum_on.or(0, (time) => time.duration({ max: DAY_MS })),
    minimumOffMs: at.minimum_off.or(0, (time) => time.duration({ max: DAY_MS })),
    maximumOnMs: at.maximum_on.or(null, (time) => time.duration({ min: 60_000 })),
    referenceMs: at.reference.or(600_000, (time) => time.duration({ min: 60_000, max: 3_600_000 })),
    contact: readContact(at.contact),
  };
};

const readContact = (value: ConfigValue): ContactConfig => {
  const at = value.members(["lost_after", "action", "after"]);
  return {
    lostAfterMs: at.lost_after.or(180_000, (time) => time.duration({ min: 1_000, max: DAY_MS })),
    action: at.action.or("keep", (action) => action.choice(["keep", "release", "level"])),
    afterMs: at.after.or(0, (time) => time.duration({ max: DAY_MS })),
  };
};

export const readOutput = (value: ConfigValue): OutputConfig | null => {
  const at = value.members([
    ...(["name", "to", "curtail", "full", "normal", "failsafe"] as const),
    ...(["min", "max", "scale", "ramp", "repeat"] as const),
  ]);
  const target = readTarget(at.to);
  const curtail = readCurtail(at.curtail);
  const settings = {
    name: at.name.text("a name"),
    curtail,
    full: typeof curtail === "number" ? curtail : at.full.number(),
    normal: readNormal(at.normal, target),
    failsafe: at.failsafe.or(null, level),
    bounds: [at.min.or(-1e12, (min) => min.number()), at.max.or(1e12, (max) => max.number())],
    scale: at.scale.or(1, (scale) => scale.number()),
    ramp: at.ramp.or(null, readRamp),
    repeatMs: at.repeat.or(60_000, (repeat) => repeat.duration({ min: 1_000, max: DAY_MS })),
  } as const;
  if (typeof curtail === "number" && !at.full.isMissing) at.full.fault("leave it out: `curtail` is a level");
  if (settings.scale === 0) at.scale.fault("must not be 0");
  if (settings.bounds[0] > settings.bounds[1]) at.min.fault("must not be above max");
  return target === null ? null : { ...settings, target };
};

/** A number; true and false are 1 and 0, for relays. */
const level = (value: ConfigValue): number => (value.isFlag ? Number(value.flag()) : value.number());

const readCurtail = (value: ConfigValue): OutputConfig["curtail"] => {
  if (value.isMissing) value.fault("is missing: give a level, commitment or remaining");
  if (value.isMissing || value.isFlag || value.isNumber) return value.isMissing ? 0 : level(value);
  return value.choice(["commitment", "remaining"]);
};

const readNormal = (value: ConfigValue, target: TargetConfig | null): number | null => {
  if (value.isMissing || value.isFlag || value.isNumber) return level(value);
  value.choice(["release"]);
  if (target?.protocol === "modbus") value.fault("a register cannot be released; give its normal value");
  return null;
};

const readRamp = (value: ConfigValue): Ramp => {
  const at = value.members(["per_minute", "every"]);
  const perMinute = at.per_minute.number({ min: 0 });
  if (perMinute === 0) at.per_minute.fault("must be above 0");
  return { perMinute, everyMs: at.every.or(10_000, (every) => every.duration({ min: 1_000, max: 600_000 })) };
};

const readTarget = (value: ConfigValue): TargetConfig | null => {
  const variant = value.variant(["mqtt", "modbus", "bacnet", "command"]);
  if (variant === null) return null;
  const [protocol, given] = variant;
  switch (protocol) {
    case "mqtt":
      return { protocol, ...readMqttTarget(given) };
    case "modbus":
      return { protocol, ...readModbusPoint(given, "writes") };
    case "bacnet":
      return { protocol, ...readBacnetPoint(given, "writes") };
    case "command":
      return { protocol, ...readCommand(given) };
  }
};

export const readOverrideInput = (value: ConfigValue): OverrideInput | null => {
  const variant = value.variant(["modbus", "bacnet"]);
  if (variant === null) return null;
  const [protocol, given] = variant;
  return protocol === "modbus"
    ? { protocol, ...readModbusPoint(given, "reads") }
    : { protocol, ...readBacnetPoint(given, "reads") };
};
