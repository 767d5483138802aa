import {
  CELL_SECONDS,
  cellsOfGrid,
  countEnergyCells,
  dateOf,
  type EnergyGrid,
  EnergySums,
  energyGrid,
  firstCellOfHour,
  localTime,
  partOfGrid,
} from "@curtail/measure";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { Site } from "../../portfolio/domain/site.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import { type FileFormat, refuseRows } from "../domain/energy.js";
import {
  type EnergyPorts,
  type EnergyQuestion,
  type EnergyReader,
  findMetered,
  type MeteredMeter,
} from "./find-metered.js";
import { hoursOf } from "./hour-stretches.js";
import { chargeCurveOf, type MeterEnergy } from "./read-energy.js";

export interface EnergyFile {
  readonly site: Visible<Site>;
  readonly intervalSeconds: number;
  /** Local days of the site, inclusive: `2026-06-01`. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** The content in pieces: meter by meter, each in order of time. */
  readonly pieces: AsyncIterable<MeterEnergy>;
}

/** The power and energy of a site's meters; intervals that are not over are left out. */
export const downloadEnergy = async (
  ports: EnergyPorts,
  question: EnergyQuestion,
  { intervalSeconds, format }: { readonly intervalSeconds: number; readonly format: FileFormat },
): Promise<Result<EnergyFile>> => {
  const found = await findMetered(ports, question);
  if (isRefusal(found)) return found;
  const { site, meters } = found;
  const period = upTo(ports.clock.now().getTime(), found.period);
  const refused = refuseRows(meters.length * countEnergyCells(period, intervalSeconds, site.timezone), format);
  if (refused !== null) return refused;
  const grid = energyGrid(period, intervalSeconds, site.timezone);
  const pieces = piecesOf(ports.telemetry, meters, grid);
  return { site, intervalSeconds, ...daysOf(grid, site.timezone), pieces };
};

const upTo = (nowMs: number, { startMs, endMs }: { readonly startMs: number; readonly endMs: number }) => ({
  startMs,
  endMs: Math.max(startMs, Math.min(endMs, nowMs)),
});

const daysOf = ({ counted }: EnergyGrid, timezone: string) => {
  const time = localTime(timezone);
  const [first = 0, end = first] = [counted[0], counted.at(-1)];
  const dayOf = (cell: number) => dateOf(time.dayOf(cell * CELL_SECONDS));
  return { firstDay: dayOf(first), lastDay: dayOf(Math.max(first, end - 1)) };
};

/** Rows of the file, and hours of the database, that are processed at once. */
const CELLS_AT_ONCE = 10_000;
const SECONDS_AT_ONCE = 1000 * 3600;

async function* piecesOf(
  telemetry: EnergyReader,
  meters: readonly MeteredMeter[],
  grid: EnergyGrid,
): AsyncGenerator<MeterEnergy> {
  const length = Math.min(CELLS_AT_ONCE, Math.floor(SECONDS_AT_ONCE / grid.intervalSeconds));
  const cells = cellsOfGrid(grid);
  for (const { meter, key } of meters) {
    for (let from = 0; from < cells; from += length) {
      const sums = new EnergySums(partOfGrid(grid, from, Math.min(from + length, cells)));
      const hours = hoursOf(sums.grid);
      for (const row of await telemetry.rows([key], hours.from, hours.to)) {
        sums.add(firstCellOfHour(row.hour), row.cells);
      }
      const charge = chargeCurveOf({ meter, key }, sums.grid);
      const charges = charge === null ? [] : await telemetry.chargeRows([key], hours.from, hours.to);
      for (const row of charges) charge?.add(firstCellOfHour(row.hour), row.cells);
      yield { meter, sums, charge };
    }
  }
}
