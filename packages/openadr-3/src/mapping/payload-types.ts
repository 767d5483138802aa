/** What the values of a payload may be (the specification's enumerations of event payloads). */
export interface PayloadRule {
  readonly values: "number" | "integer" | "text" | "points" | "any";
  readonly minimum?: number;
  readonly maximum?: number;
  /** Whether one value is all; several of a price share its interval (User Guide, 7.3). */
  readonly isSingle: boolean;
  /** Units that its descriptor must give one of. */
  readonly units?: readonly string[];
  /** Whether its descriptor must give a currency. */
  readonly isPrice?: boolean;
}

const POWER_UNITS = ["KW", "KVA", "AMPS"] as const;
const ENERGY_UNITS = ["KWH", "KVAH", "THERMS"] as const;

const price: PayloadRule = { values: "number", isSingle: false, units: ENERGY_UNITS, isPrice: true };
const capacity: PayloadRule = { values: "number", minimum: 0, isSingle: true, units: POWER_UNITS };
const capacityPrice: PayloadRule = { values: "number", isSingle: true, units: POWER_UNITS, isPrice: true };
const alert: PayloadRule = { values: "text", isSingle: true };
const flag: PayloadRule = { values: "integer", minimum: 0, maximum: 1, isSingle: true };

/** Relative setpoints may be negative, although the enumeration's schema begins at 0. */
const RULES: Readonly<Record<string, PayloadRule>> = {
  SIMPLE: { values: "integer", minimum: 0, maximum: 3, isSingle: true },
  PRICE: price,
  PRICE_ALTERNATE: price,
  EXPORT_PRICE: price,
  GHG: { values: "number", minimum: 0, isSingle: false, units: ["GHG"] },
  CHARGE_STATE_SETPOINT: { values: "number", minimum: 0, isSingle: true, units: ["PERCENT", "KWH"] },
  DISPATCH_SETPOINT: { values: "number", minimum: 0, isSingle: true, units: POWER_UNITS },
  DISPATCH_SETPOINT_RELATIVE: { values: "number", isSingle: true, units: POWER_UNITS },
  DISPATCH_INSTRUCTION: { values: "text", isSingle: false },
  CONTROL_SETPOINT: { values: "any", isSingle: true },
  CONTROL_LEVEL_OFFSET: { values: "integer", minimum: -10, maximum: 10, isSingle: true },
  CONTROL_LEVEL_OFFSET_PERCENT: { values: "number", minimum: -1, maximum: 1, isSingle: true, units: ["PERCENT"] },
  CURVE: { values: "points", isSingle: false },
  OLS: { values: "number", minimum: 0, maximum: 1, isSingle: false },
  IMPORT_CAPACITY_SUBSCRIPTION: capacity,
  IMPORT_CAPACITY_RESERVATION: capacity,
  IMPORT_CAPACITY_RESERVATION_FEE: capacityPrice,
  IMPORT_CAPACITY_AVAILABLE: capacity,
  IMPORT_CAPACITY_AVAILABLE_PRICE: capacityPrice,
  EXPORT_CAPACITY_SUBSCRIPTION: capacity,
  EXPORT_CAPACITY_RESERVATION: capacity,
  EXPORT_CAPACITY_RESERVATION_FEE: capacityPrice,
  EXPORT_CAPACITY_AVAILABLE: capacity,
  EXPORT_CAPACITY_AVAILABLE_PRICE: capacityPrice,
  IMPORT_CAPACITY_LIMIT: capacity,
  EXPORT_CAPACITY_LIMIT: capacity,
  ALERT_GRID_EMERGENCY: alert,
  ALERT_BLACK_START: alert,
  ALERT_POSSIBLE_OUTAGE: alert,
  ALERT_FLEX_ALERT: alert,
  ALERT_FIRE: alert,
  ALERT_FREEZING: alert,
  ALERT_WIND: alert,
  ALERT_TSUNAMI: alert,
  ALERT_AIR_QUALITY: alert,
  ALERT_OTHER: alert,
  CTA2045_REBOOT: flag,
  CTA2045_SET_OVERRIDE_STATUS: flag,
};

/** The payloads of events. */
export const PAYLOAD_RULES: ReadonlyMap<string, PayloadRule> = new Map(Object.entries(RULES));

/** The payloads of reports; none is a payload of events. */
export const REPORT_PAYLOADS: ReadonlySet<string> = new Set([
  "READING",
  "USAGE",
  "DEMAND",
  "SETPOINT",
  "DELTA_USAGE",
  "BASELINE",
  "OPERATING_STATE",
  "UP_REGULATION_AVAILABLE",
  "DOWN_REGULATION_AVAILABLE",
  "REGULATION_SETPOINT",
  "STORAGE_USABLE_CAPACITY",
  "STORAGE_CHARGE_LEVEL",
  "STORAGE_MAX_DISCHARGE_POWER",
  "STORAGE_MAX_CHARGE_POWER",
  "SIMPLE_LEVEL",
  "USAGE_FORECAST",
  "STORAGE_DISPATCH_FORECAST",
  "LOAD_SHED_DELTA_AVAILABLE",
  "GENERATION_DELTA_AVAILABLE",
  "DATA_QUALITY",
  "IMPORT_RESERVATION_CAPACITY",
  "IMPORT_RESERVATION_FEE",
  "EXPORT_RESERVATION_CAPACITY",
  "EXPORT_RESERVATION_FEE",
]);

/** What a limit falls back to when its schedule is exhausted or the connection is lost (User Guide, 8.10.1). */
export const SAFE_MODES: Readonly<Record<string, string>> = {
  IMPORT_CAPACITY_LIMIT: "IMPORT_CAPACITY_SUBSCRIPTION",
  EXPORT_CAPACITY_LIMIT: "EXPORT_CAPACITY_SUBSCRIPTION",
};
