import { operator } from "@curtail/contract";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { MeterDataPlan, PlannedSeries } from "../operations/plan-meter-data.js";

export const { NO_METER } = operator;

export const planToWire = (
  plan: MeterDataPlan,
  { isDryRun, savedAs }: { readonly isDryRun: boolean; readonly savedAs: string | null },
): operator.MeterDataResult => ({
  dry_run: isDryRun,
  format: plan.format,
  series: plan.series.map(seriesToWire),
  left_out: plan.leftOut.map((each) => ({ ...each })),
  notes: plan.notes.slice(0, operator.MAX_METER_DATA_FAULTS).map((note) => ({ ...note })),
  intervals: plan.readings.count,
  unmatched_intervals: plan.unmatched,
  fault_count: plan.faultCount,
  faults: plan.faults.slice(0, operator.MAX_METER_DATA_FAULTS).map((fault) => ({ ...fault })),
  ...tableToWire(plan.table, isDryRun),
  mapping_profile: plan.profile === null ? null : profileToWire(plan.profile),
  saved_profile: savedAs,
});

const tableToWire = (table: MeterDataPlan["table"], isDryRun: boolean) => ({
  mapping: table === null ? null : mappingToWire(table.mapping),
  profile_mapping: table === null ? null : lastingToWire(table.lasting),
  reasons: [...(table?.reasons ?? [])],
  doubts: (table?.doubts ?? []).map((doubt) => ({ ...doubt, choices: doubt.choices.map((choice) => ({ ...choice })) })),
  header: table?.header ?? null,
  ...(isDryRun && table !== null ? { first_lines: table.firstLines.map((cells) => [...cells]) } : {}),
});

const profileToWire = ({ id, name, chosenBy, others }: NonNullable<MeterDataPlan["profile"]>) => ({
  id,
  name,
  chosen_by: chosenBy,
  others: [...others],
});

const mappingToWire = (mapping: NonNullable<MeterDataPlan["table"]>["mapping"]): operator.MeterDataMapping => ({
  ...mapping,
  time: { ...mapping.time, columns: [...mapping.time.columns], end_columns: [...mapping.time.end_columns] },
  values: mapping.values.map((value) => ({ ...value })),
  meter_columns: [...mapping.meter_columns],
});

const lastingToWire = (mapping: NonNullable<MeterDataPlan["table"]>["lasting"]) =>
  mapping as NonNullable<operator.MeterDataResult["profile_mapping"]>;

const seriesToWire = ({ series, meter, summary }: PlannedSeries): operator.MeterDataSeries => ({
  name: series.name,
  description: series.description,
  unit: series.unit,
  meter_id: meter?.id ?? null,
  meter_name: meter?.name ?? null,
  start_time: summary.startMs === null ? null : formatTimestamp(summary.startMs),
  end_time: summary.endMs === null ? null : formatTimestamp(summary.endMs),
  interval_seconds: summary.intervalSeconds,
  intervals: summary.intervals,
  missing_intervals: summary.missing,
  estimated_intervals: summary.estimated,
  energy_kwh: rounded(summary.energyKwh),
});
