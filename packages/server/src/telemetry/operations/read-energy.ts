import {
  CELL_SECONDS,
  COUNTING_HOURS,
  cellEndMs,
  cellsOfGrid,
  countEnergyCells,
  type EnergyGrid,
  EnergySums,
  energyGrid,
  finestInterval,
  firstCellOfHour,
  measuredMeters,
  SiteHours,
} from "@curtail/measure";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { Meter, Site } from "../../portfolio/domain/site.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import { cellsAllowed, tooFewPoints } from "../domain/energy.js";
import { type EnergyPorts, type EnergyQuestion, findMetered, type MeteredMeter } from "./find-metered.js";
import { hourStretches, hoursOf } from "./hour-stretches.js";

export interface SiteEnergy {
  readonly site: Visible<Site>;
  readonly intervalSeconds: number;
  /** The start of the first cell and the end of each. */
  readonly edgesMs: readonly number[];
  /** 30-second intervals of the period that are over. */
  readonly expectedCells: number;
  readonly load: EnergySums;
  readonly meters: readonly MeterEnergy[];
}

export interface MeterEnergy {
  readonly meter: Meter;
  readonly sums: EnergySums;
  /** null if the meter is no battery. */
  readonly charge: ChargeCurve | null;
}

const DAY_SECONDS = 86_400;

/** The power curves of a site and its meters, in at most the requested number of cells. */
export const readEnergy = async (
  ports: EnergyPorts,
  question: EnergyQuestion,
  points: number,
): Promise<Result<SiteEnergy>> => {
  const found = await findMetered(ports, question);
  if (isRefusal(found)) return found;
  const { site, meters, period } = found;
  const interval = finestInterval(period, site.timezone, cellsAllowed(points, meters.length));
  if (interval === null) return tooFewPoints(points, countEnergyCells(period, DAY_SECONDS, site.timezone));
  const grid = energyGrid(period, interval, site.timezone);
  const sums = meters.map((each) => ({ ...each, sums: new EnergySums(grid), charge: chargeCurveOf(each, grid) }));
  const measured = new Set(measuredMeters(site.meters, site.measuredMeters).map(({ id }) => id));
  const load = await sumHours(ports, sums, grid, measured);
  await readCharges(ports, sums, grid);
  return {
    site,
    intervalSeconds: interval,
    edgesMs: Array.from(grid.edges, cellEndMs),
    expectedCells: cellsOver(grid, ports.clock.now()),
    load,
    meters: sums,
  };
};

/** Adds each meter's rows to its sums; returns those of the site, which are of its measured meters (M1). */
const sumHours = async (
  { telemetry }: EnergyPorts,
  meters: readonly (MeteredMeter & { readonly sums: EnergySums })[],
  grid: EnergyGrid,
  measured: ReadonlySet<string>,
): Promise<EnergySums> => {
  const load = new EnergySums(grid);
  const keys = meters.map(({ key }) => key);
  const ofLoad = meters.filter(({ meter }) => measured.has(meter.id)).map(({ key }) => key);
  const isOfLoad = new Set(ofLoad.map(({ meter }) => meter));
  const sumsOf = new Map(meters.map(({ key, sums }) => [key.meter, sums]));
  const hours = hoursOf(grid);
  const site = new SiteHours(await telemetry.newestHours(ofLoad, hours.from - COUNTING_HOURS, hours.from - 1));
  for await (const { rows, from, to } of hourStretches(telemetry, keys, hours)) {
    for (const row of rows) sumsOf.get(row.meter)?.add(firstCellOfHour(row.hour), row.cells);
    const summed = rows.filter(({ meter }) => isOfLoad.has(meter));
    for (const { firstCell, cells } of site.take(summed, from, to)) load.add(firstCell, cells);
  }
  return load;
};

export const chargeCurveOf = ({ meter }: MeteredMeter, grid: EnergyGrid): ChargeCurve | null =>
  meter.assetType === "battery" ? new ChargeCurve(grid) : null;

/** Fills the curves of the batteries. */
const readCharges = async (
  { telemetry }: EnergyPorts,
  meters: readonly (MeteredMeter & Pick<MeterEnergy, "charge">)[],
  grid: EnergyGrid,
): Promise<void> => {
  const curves = new Map(meters.flatMap(({ key, charge }) => (charge === null ? [] : [[key.meter, charge]])));
  const keys = meters.filter(({ charge }) => charge !== null).map(({ key }) => key);
  for await (const { rows } of hourStretches({ rows: telemetry.chargeRows }, keys, hoursOf(grid)))
    for (const row of rows) curves.get(row.meter)?.add(firstCellOfHour(row.hour), row.cells);
};

const cellsOver = ({ counted }: EnergyGrid, now: Date): number => {
  const nowCell = Math.floor(now.getTime() / 1000 / CELL_SECONDS);
  const [first = 0, last = 0] = [counted[0], counted.at(-1)];
  return Math.max(0, Math.min(last, nowCell) - first);
};

/** The last state of charge of each interval of a grid. Add cells in any order. */
class ChargeCurve {
  /** In kWh; NaN without any. */
  readonly kwh: Float64Array;
  private readonly lastCell: Float64Array;

  constructor(private readonly grid: EnergyGrid) {
    const count = cellsOfGrid(grid);
    this.kwh = new Float64Array(count).fill(Number.NaN);
    this.lastCell = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  }

  /** Adds cells from `firstCell` on, NaN where unknown; ignores cells outside the period of the grid. */
  add(firstCell: number, cells: Float64Array): void {
    const { counted } = this.grid;
    for (let index = 0; index < this.kwh.length; index++) {
      const from = Math.max((counted[index] ?? 0) + 1, firstCell);
      const to = Math.min(counted[index + 1] ?? 0, firstCell + cells.length - 1);
      for (let cell = to; cell >= from && cell > (this.lastCell[index] ?? 0); cell--) {
        const kwh = cells[cell - firstCell] ?? Number.NaN;
        if (Number.isNaN(kwh)) continue;
        this.lastCell[index] = cell;
        this.kwh[index] = kwh;
      }
    }
  }

  /** The newest of all, with the end of its 30-second interval; null without any. */
  newest(): { readonly at: Date; readonly chargeKwh: number } | null {
    const index = this.kwh.findLastIndex((kwh) => !Number.isNaN(kwh));
    if (index < 0) return null;
    return { at: new Date(cellEndMs(this.lastCell[index] ?? 0)), chargeKwh: this.kwh[index] ?? Number.NaN };
  }
}
