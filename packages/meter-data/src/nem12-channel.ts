import { quoted } from "./fault-list.js";
import { type IntervalColumns, MAX_NAME } from "./interval-columns.js";
import { type Unit, unitOf } from "./units.js";

/** A data stream of a NEM12 file, as its 200 record states it. */
export interface Channel {
  readonly name: string;
  readonly meter: string;
  readonly unit: Unit;
  /** -1 for energy into the grid. */
  readonly sign: 1 | -1;
  readonly seconds: number;
  readonly columns: IntervalColumns;
}

const minutesAllowed: readonly number[] = [5, 15, 30];

export interface StatedChannel {
  readonly name: string;
  readonly meter: string;
  readonly unit: string;
  readonly suffix: string;
  readonly minutes: string;
}

export const statedIn = (cells: readonly string[]): StatedChannel => {
  const [, nmi = "", , , suffix = "", , meter = "", unit = "", minutes = ""] = cells;
  const name = `${nmi}:${suffix}`.slice(0, MAX_NAME);
  return { name, meter: meter.slice(0, MAX_NAME), unit, suffix, minutes };
};

/** Why a stream is no load or export of a meter; null if it is one. */
export const reasonToLeaveOut = ({ suffix, unit }: StatedChannel): string | null => {
  const kind = suffix[0]?.toUpperCase() ?? "";
  if (kind === "E" || kind === "B")
    return unitOf(unit) === null && isReactive(unit) ? `its unit is ${unit.slice(0, 10)}` : null;
  return suffix === "" ? null : `suffix ${quoted(suffix)} is neither energy from the grid (E) nor into it (B)`;
};

const isReactive = (unit: string): boolean => /^[kM]?VA/i.test(unit);

export const channelOf = (
  { name, meter, unit: unitName, suffix, minutes }: StatedChannel,
  columns: IntervalColumns,
  report: (message: string) => void,
): Channel | null => {
  const unit = unitOf(unitName);
  const isLengthKnown = /^\d{1,2}$/.test(minutes) && minutesAllowed.includes(Number(minutes));
  if (name.startsWith(":")) report("the 200 record has no NMI; its second cell must name it");
  if (suffix === "") report("the 200 record has no suffix such as E1 in its fifth cell; state it");
  if (unit === null) report(`the 200 record has the unit ${quoted(unitName)}; give Wh, kWh, MWh, W, kW or MW`);
  if (!isLengthKnown)
    report(
      `the 200 record has an interval length of ${quoted(minutes)}; NEM12 has ${minutesAllowed.join(", ")} minutes`,
    );
  if (name.startsWith(":") || suffix === "" || unit === null || !isLengthKnown) return null;
  const sign = suffix[0]?.toUpperCase() === "B" ? -1 : 1;
  return { name, meter, unit, sign, seconds: Number(minutes) * 60, columns };
};
