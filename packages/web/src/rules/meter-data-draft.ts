import type { operator } from "@curtail/contract";

/** What a user chose for the import of a file. */
export interface MeterDataDraft {
  /** Meter by the name of a series, or `none`; a series without an own choice goes to the meter of its name. */
  readonly choices: Readonly<Record<string, string>>;
  readonly timezone: string;
  readonly leavesOutEstimated: boolean;
}

export const emptyMeterData: MeterDataDraft = { choices: {}, timezone: "", leavesOutEstimated: false };

/** The query of the import. */
export const meterDataQuery = ({ choices, timezone, leavesOutEstimated }: MeterDataDraft) => {
  const series = Object.entries(choices)
    .filter(([, meter]) => meter !== "")
    .map(([name, meter]) => `${name}=${meter}`);
  return {
    ...(series.length === 0 ? {} : { series }),
    ...(timezone.trim() === "" ? {} : { timezone: timezone.trim() }),
    ...(leavesOutEstimated ? { estimated: "leave_out" as const } : {}),
  };
};

/** Identifies what was sent, so that its result is not shown for something else. */
export const meterDataKey = (file: Pick<File, "name" | "size" | "lastModified">, draft: MeterDataDraft): string =>
  JSON.stringify([file.name, file.size, file.lastModified, meterDataQuery(draft)]);

/** The meter that is shown as chosen for a series. */
export const chosenMeter = (
  { choices }: MeterDataDraft,
  { name, meter_id }: Pick<operator.MeterDataSeries, "name" | "meter_id">,
): string => choices[name] ?? meter_id ?? "";
