import {
  type Anchor,
  type BaselineMethod,
  type DaysMethod,
  isBaselineMethod,
  methodFaults,
  presets,
} from "@curtail/measure";
import { NewerFormat } from "../../platform/newer-format.js";
import { onceFor } from "../../platform/once.js";
import { quote } from "../../platform/quote.js";
import { invalid, type Refusal } from "../../platform/refusal.js";
import type { BaselineSetting, MeasurementSettings, StatusSetting } from "../domain/measurement.js";

/** Default of programs. Works without history: it falls back to the load before notification. */
const DEFAULT_BASELINE: BaselineSetting = { preset: "high_4_of_5" };
const FALLBACK = { kind: "meter_before", seconds: 900, anchor: "notification" } as const;

const MAX_FAULTS = 20;

/** The method of a setting; null: the default. Settings are checked before they are stored. */
export const methodOf = (setting: BaselineSetting | null): BaselineMethod =>
  setting === null ? withFallback(methodOfSetting(DEFAULT_BASELINE) as DaysMethod) : methodOfSetting(setting);

/** The same for all sites of a dispatch, so that what is found for a method is found once. */
const methodOfSetting = onceFor((setting: BaselineSetting): BaselineMethod => {
  if (!("method" in setting)) return presetMethod(setting);
  if (!isBaselineMethod(setting.method)) throw new NewerFormat("a baseline method");
  return setting.method;
});

/** The method of sites that are too new for one without a fallback (G64). */
export const withFallback = onceFor((method: DaysMethod): DaysMethod => ({ ...method, fallback: FALLBACK }));

/** Id of the preset of a setting; null: it has parameters of its own. */
export const presetOf = (setting: BaselineSetting | null): string | null => {
  const given = setting ?? DEFAULT_BASELINE;
  return "preset" in given ? given.preset : null;
};

/** Refuses measurement settings that cannot be computed. */
export const refuseMeasurement = (
  settings: Partial<Pick<MeasurementSettings, "baseline" | "statusLimits">>,
): Refusal | null => refuseBaseline(settings.baseline ?? null) ?? refuseLimits(settings.statusLimits ?? null);

export const refuseBaseline = (setting: BaselineSetting | null): Refusal | null => {
  if (setting === null) return null;
  if ("method" in setting) {
    const faults = methodFaults(setting.method).slice(0, MAX_FAULTS);
    return faults.length === 0 ? null : invalid(faults.map((fault) => `baseline.method.${fault}`).join("; "));
  }
  return refusePreset(setting.preset, "baseline.preset");
};

/** Refuses an unknown preset; `member` is its name in the request. */
export const refusePreset = (preset: string, member: string): Refusal | null => {
  const known = presets.map(({ id }) => id);
  return known.includes(preset) ? null : invalid(`${member} is "${quote(preset)}"; give one of ${known.join(", ")}`);
};

const refuseLimits = (limits: StatusSetting | null): Refusal | null =>
  limits === null || (limits.amberFrom <= limits.greenFrom && limits.greenFrom <= limits.greenTo)
    ? null
    : invalid("status_limits must rise: amber_from, then green_from, then green_to");

const presetMethod = (setting: Extract<BaselineSetting, { preset: string }>): BaselineMethod => {
  const found = presets.find(({ id }) => id === setting.preset);
  if (found === undefined)
    throw new Error(`the baseline preset ${setting.preset} no longer exists; set another one for the program`);
  return setting.anchor === undefined ? found.method : anchoredAt(found.method, setting.anchor);
};

/** The same method with its window counted back from another instant. */
const anchoredAt = (method: BaselineMethod, anchor: Anchor): BaselineMethod => {
  if (method.kind === "meter_before") return { ...method, anchor };
  if (method.kind !== "days" || method.adjust.kind === "none") return method;
  return { ...method, adjust: { ...method.adjust, window: { ...method.adjust.window, anchor } } };
};
