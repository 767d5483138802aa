import type { operator } from "@curtail/contract";
import { isStating } from "./column-statement.js";
import type { Stated } from "./table-reading.js";

/** What a user chose for the import of a file. */
export interface MeterDataDraft {
  /** Meter by the name of a series, or `none`; a series without an own choice goes to the meter of its name. */
  readonly choices: Readonly<Record<string, string>>;
  /** Offset of NEM12. */
  readonly timezone: string;
  readonly leavesOutEstimated: boolean;
  /** What the user says about the columns of a table; the rest is guessed. */
  readonly stated: Stated;
  /** Name of the profile that the file is read by; null: that of its header, if there is one. */
  readonly profile: string | null;
}

/** In place of the name of a profile: none. */
export const NO_PROFILE = "none";

export const emptyMeterData: MeterDataDraft = {
  choices: {},
  timezone: "",
  leavesOutEstimated: false,
  stated: {},
  profile: null,
};

/** The query of the import. */
export const meterDataQuery = ({ choices, timezone, leavesOutEstimated, stated, profile }: MeterDataDraft) => {
  const series = Object.entries(choices)
    .filter(([, meter]) => meter !== "")
    .map(([name, meter]) => `${name}=${meter}`);
  return {
    ...(series.length === 0 ? {} : { series }),
    ...(timezone.trim() === "" ? {} : { timezone: timezone.trim() }),
    ...(leavesOutEstimated ? { estimated: "leave_out" as const } : {}),
    ...(profile === null ? {} : { mapping_profile: profile }),
    ...(isStating(stated) ? { mapping: JSON.stringify(stated) } : {}),
  };
};

type Profiled = Pick<operator.MeterDataResult, "mapping_profile">;

/** The query of the import: by the profile of the dry run, or by none if it had none, whatever has been saved since. */
export const importQuery = (draft: MeterDataDraft, { mapping_profile: used }: Profiled) => ({
  ...meterDataQuery(draft),
  mapping_profile: used?.name ?? NO_PROFILE,
});

/** The profile that is shown as chosen. */
export const chosenProfile = ({ profile }: MeterDataDraft, { mapping_profile: used }: Profiled): string =>
  profile ?? used?.name ?? NO_PROFILE;

/** Another profile: what was said was about the columns as they were. */
export const withProfile = (draft: MeterDataDraft, profile: string): MeterDataDraft => ({
  ...draft,
  choices: {},
  stated: {},
  profile,
});

/** Words about a file that is read by a profile are next to the profile's name. */
export const withStated = (
  draft: MeterDataDraft,
  { mapping_profile: used }: Profiled,
  stated: Stated,
): MeterDataDraft => ({
  ...draft,
  stated,
  profile: draft.profile ?? used?.name ?? null,
});

/** Whether a profile of this name is there, whatever its case and spaces. */
export const isKept = (name: string, kept: ReadonlyArray<{ readonly name: string }>): boolean =>
  kept.some((each) => folded(each.name) === folded(name));

const folded = (name: string): string => name.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLowerCase();

/** The meter that is shown as chosen for a series. */
export const chosenMeter = (
  { choices }: MeterDataDraft,
  { name, meter_id }: Pick<operator.MeterDataSeries, "name" | "meter_id">,
): string => choices[name] ?? meter_id ?? "";

/** What an import stores: of the series that have a meter. */
export interface MeterDataSum {
  readonly energyKwh: number;
  /** Start of the first interval and end of the last one; null without any. */
  readonly start: string | null;
  readonly end: string | null;
  readonly meters: readonly string[];
}

export const sumOf = ({ series }: Pick<operator.MeterDataResult, "series">): MeterDataSum => {
  const stored = series.filter(({ meter_id }) => meter_id !== null);
  const starts = stored.flatMap(({ start_time }) => start_time ?? []).toSorted();
  const ends = stored.flatMap(({ end_time }) => end_time ?? []).toSorted();
  return {
    energyKwh: stored.reduce((sum, { energy_kwh }) => sum + energy_kwh, 0),
    start: starts[0] ?? null,
    end: ends.at(-1) ?? null,
    meters: [...new Set(stored.flatMap(({ meter_name }) => meter_name ?? []))],
  };
};

/** Faults that no question is about. */
export const ownFaults = ({ faults, doubts = [] }: Pick<operator.MeterDataResult, "faults" | "doubts">) =>
  faults.filter(
    ({ line, message }) => !doubts.some((doubt) => doubt.line === line && message.startsWith(doubt.question)),
  );
