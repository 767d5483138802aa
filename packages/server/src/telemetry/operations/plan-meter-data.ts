import type { MeterKey } from "@curtail/measure";
import {
  type Fault,
  type Format,
  type Intervals,
  type LeftOut,
  type StatedMapping,
  type Summary,
  summaryOf,
  summed,
  type Table,
} from "@curtail/meter-data";
import { quote } from "../../platform/quote.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { inTurns, turns } from "../../platform/turns.js";
import type { Meter, Site } from "../../portfolio/domain/site.js";
import { MAX_IMPORT_HOURS } from "../domain/meter-data.js";
import { type TimeBounds, timeBounds } from "../domain/reading.js";
import { type ChosenSeries, chooseMeters, type MeterChoice } from "./choose-meters.js";
import type { GridReadings } from "./grid-readings.js";
import type { MeterDataPorts } from "./import-ports.js";
import { type PlannedProfile, type ProfileChoice, plannedProfile, profilesFor, zoneNote } from "./import-profiles.js";
import { hoursIn, importedReadings, type MeterIntervals } from "./imported-readings.js";
import { storable } from "./storable-intervals.js";

/** A file, and how it is to be read and imported. */
export interface MeterDataFile {
  /** Emptied by reading it. */
  readonly pieces: Buffer[];
  readonly options: {
    readonly format?: Format | undefined;
    readonly timezone?: string | undefined;
    readonly intervalSeconds?: number | undefined;
    readonly mapping?: StatedMapping | undefined;
  };
  readonly choice: MeterChoice;
  readonly profiles: ProfileChoice;
  readonly leavesOutEstimated: boolean;
  /** Ends the import: its caller has left. */
  readonly signal: AbortSignal;
}

export interface PlannedSeries extends ChosenSeries {
  readonly summary: Summary;
}

/** What an import does; nothing if there is a fault. */
export interface MeterDataPlan {
  readonly format: Format;
  readonly series: readonly PlannedSeries[];
  readonly leftOut: readonly LeftOut[];
  /** What was assumed where the file leaves it open, by line. */
  readonly notes: readonly Fault[];
  readonly readings: GridReadings;
  /** Left out, since not all series of their meter have them. */
  readonly unmatched: number;
  /** The first ones, by line. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  /** How a CSV file was read. */
  readonly table: Table | null;
  readonly profile: PlannedProfile | null;
}

/** Reads a file and finds out what an import of it would do; refuses a profile that there is not. */
export const planMeterData = async (
  { telemetry, clock, importing, stores }: Pick<MeterDataPorts, "telemetry" | "clock" | "importing" | "stores">,
  site: Site,
  { pieces, options, choice, profiles: chosenProfiles, leavesOutEstimated, signal }: MeterDataFile,
): Promise<Result<MeterDataPlan>> => {
  const profiles = await profilesFor(stores.mappingProfiles, site, chosenProfiles, options);
  if (isRefusal(profiles)) return profiles;
  const data = await importing.read({ pieces, options: { ...options, ...profiles.options }, signal });
  const zone = zoneNote(data.table, profiles.kept, site);
  const faults = new PlanFaults(data.faults, data.faultCount);
  const chosen = chooseMeters(data.series, site.meters, choice, faults.report);
  if (data.format === "csv") reportCharges(chosen, faults);
  const bounds = timeBounds(clock.now(), importing.keepDays);
  const { targets, unmatched } = await targetsOf(chosen, { leavesOutEstimated, bounds }, faults);
  const keys = (await telemetry.metersOf(site.accountId, [site.id])).get(site.id) ?? [];
  const readings = importedReadings(targets.map(({ meter, intervals }) => ({ key: keyOf(keys, meter), intervals })));
  if (faults.count === 0) checkAmount(readings, faults);
  return {
    format: data.format,
    series: chosen.map((each) => ({ ...each, summary: summaryOf(each.series.intervals) })),
    leftOut: data.leftOut,
    notes: [...(zone === null ? [] : [{ line: 1, message: zone }]), ...data.notes],
    readings,
    unmatched,
    faults: faults.byLine(),
    faultCount: faults.count,
    table: data.table,
    profile: plannedProfile(data.table, profiles.kept),
  };
};

/** kWh of a table may be either for a battery; Green Button and NEM12 have energies only. */
const reportCharges = (chosen: readonly ChosenSeries[], faults: PlanFaults): void => {
  for (const { series, meter } of chosen)
    if (meter?.kwhMeans === "charge" && series.unit.endsWith("Wh"))
      faults.report(
        series.intervals.line[0] ?? 1,
        `the series "${quote(series.name)}" is in ${series.unit}, and kWh of "${quote(meter.name)}" are its state of charge, which files do not have; give kW, or leave the series out with none`,
      );
};

interface Target extends Pick<MeterIntervals, "intervals"> {
  readonly meter: Meter;
}

interface Limits {
  readonly leavesOutEstimated: boolean;
  readonly bounds: TimeBounds;
}

/** What is stored for each meter: the sum of its series. */
const targetsOf = async (
  chosen: readonly ChosenSeries[],
  { leavesOutEstimated, bounds }: Limits,
  faults: PlanFaults,
): Promise<{ readonly targets: readonly Target[]; readonly unmatched: number }> => {
  const byMeter = new Map<Meter, Intervals[]>();
  for (const { series, meter } of chosen)
    if (meter !== null) byMeter.set(meter, [...(byMeter.get(meter) ?? []), series.intervals]);
  const targets: Target[] = [];
  const othersTurn = turns();
  let unmatched = 0;
  for (const [meter, intervals] of byMeter) {
    const total = await inTurns(summed(intervals), othersTurn);
    unmatched += total.unmatched;
    const found = await inTurns(
      storable(total.intervals, { leavesOutEstimated, bounds, report: faults.report }),
      othersTurn,
    );
    targets.push({ meter, intervals: found });
  }
  return { targets, unmatched };
};

const keyOf = (keys: ReadonlyArray<{ readonly id: string; readonly key: MeterKey }>, { id }: Meter): MeterKey => {
  const found = keys.find((each) => each.id === id);
  if (found === undefined) throw new Error(`meter ${id} of the site has no number`);
  return found.key;
};

const checkAmount = (readings: GridReadings, faults: PlanFaults): void => {
  const hours = hoursIn(readings);
  if (readings.count === 0) faults.report(1, "no interval is left to be stored; check the choice of meters");
  if (hours > MAX_IMPORT_HOURS)
    faults.report(
      1,
      `the file has ${hours} hours of meters, and an import stores at most ${MAX_IMPORT_HOURS}; split it`,
    );
};

const MAX_KEPT = 1000;

/** The faults of the file, and those that its import would have. */
class PlanFaults {
  private readonly kept: Fault[];

  constructor(
    faults: readonly Fault[],
    public count: number,
  ) {
    this.kept = [...faults];
  }

  readonly report = (line: number, message: string): void => {
    this.count += 1;
    if (this.kept.length < MAX_KEPT) this.kept.push({ line, message });
  };

  byLine(): Fault[] {
    return this.kept.toSorted((a, b) => a.line - b.line);
  }
}
