import type { operator } from "@curtail/contract";
import { BASELINE_PRESETS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";

type Setting = operator.Program["baseline"];
type Preset = (typeof BASELINE_PRESETS)[number];

/** Names of presets; "-style", as they are not the settlement baselines of those markets. */
const presets: Readonly<Record<Preset, string>> = {
  high_4_of_5: say("High 4 of 5 (PJM-style)"),
  ten_of_ten: say("10 of 10 (CAISO-style)"),
  middle_8_of_10: say("Middle 8 of 10 (ERCOT-style)"),
  middle_8_of_10_ratio: say("Middle 8 of 10 with ratio (ERCOT-style)"),
  high_5_of_10: say("High 5 of 10 (NYISO-style)"),
  high_5_of_10_ratio: say("High 5 of 10 with ratio (NYISO-style)"),
  weekdays_10_5min: say("10 weekdays, 5-minute (ISO-NE-style)"),
  high_15_of_20_per_hour: say("15 of 20 per hour (IESO-style)"),
  meter_before: say("Meter before: the 15 minutes before notification"),
  firm_service_level: say("Firm service level"),
};

const DEFAULT = say("Default: high 4 of 5, or the load before notification");

export const baselineChoices = (unset: string = DEFAULT) => [
  { value: "", label: unset },
  ...BASELINE_PRESETS.map((value) => ({ value, label: presets[value] })),
  { value: "method", label: say("Custom parameters") },
];

/** What the days of a baseline are counted back from. */
export const anchorWords: Readonly<Record<Exclude<BaselineDraft["anchor"], "">, string>> = {
  start: say("The start of the dispatch"),
  notification: say("The notification"),
};

export const anchorChoices = [
  { value: "", label: say("Same as the preset") },
  ...Object.entries(anchorWords).map(([value, label]) => ({ value, label })),
];

/** The baseline setting in the form. */
export interface BaselineDraft {
  readonly baseline: string;
  readonly anchor: "" | "start" | "notification";
  readonly method: string;
}

export const baselineDraft = (setting: Setting): BaselineDraft => {
  if (setting === null) return { baseline: "", anchor: "", method: "" };
  if ("method" in setting) return { baseline: "method", anchor: "", method: JSON.stringify(setting.method, null, 2) };
  return { baseline: setting.preset, anchor: setting.anchor ?? "", method: "" };
};

/** Fault of the parameters that shows before they are sent; null if there is none. */
export const methodFault = ({ baseline, method }: BaselineDraft): string | null =>
  baseline !== "method" || parsed(method) !== null
    ? null
    : say("The parameters must be a JSON object, such as {example}.", { example: '{"kind": "meter_before"}' });

export const baselineOf = ({ baseline, anchor, method }: BaselineDraft): Setting => {
  if (baseline === "") return null;
  if (baseline === "method") return { method: parsed(method) ?? {} };
  return anchor === "" ? { preset: baseline } : { preset: baseline, anchor };
};

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};

export const baselineWords = (setting: Setting): string => {
  if (setting === null) return DEFAULT;
  if ("method" in setting)
    return say("Custom parameters: {parameters}", { parameters: JSON.stringify(setting.method) });
  const preset = presetWords(setting.preset);
  if (setting.anchor === undefined) return preset;
  return setting.anchor === "start"
    ? say("{preset}, counted back from the start", { preset })
    : say("{preset}, counted back from the notification", { preset });
};

/** Name of a preset; its id if it is of another version. */
export const presetWords = (preset: string): string => {
  const words: Readonly<Record<string, string>> = presets;
  return words[preset] ?? preset;
};
