import { type FaultList, Unreadable } from "./fault-list.js";
import type { FormatResult } from "./format-reader.js";
import { descriptionOf, type Entry, emptyEntry, Linked, nameOf } from "./green-button-entry.js";
import { IntervalColumns, lengthFault, MAX_SERIES, STEP } from "./interval-columns.js";
import type { LeftOut, Series } from "./meter-data.js";
import { type Conversion, conversionOf, kilowattsOf } from "./reading-type.js";
import { settled } from "./settle-series.js";

const ELECTRICITY = "0";

/** Joins the entries of a feed by their links, and converts what they have. */
export function* greenButtonSeries(entries: readonly Entry[], faults: FaultList): Generator<undefined, FormatResult> {
  const of = (kind: Entry["kind"]) => entries.filter((entry) => entry.kind === kind);
  const types = of("ReadingType");
  const [points, linkedTypes] = [new Linked(of("UsagePoint")), new Linked(types)];
  const blocks = blocksByReading(of("IntervalBlock"), readingsOr(of("MeterReading"), types), faults);
  const series: Series[] = [];
  const leftOut: LeftOut[] = [];
  for (const [reading, itsBlocks] of blocks) {
    const point = points.ownerOf(reading);
    const name = nameOf(reading, point);
    const conversion = conversionFor(point, linkedTypes.relatedTo(reading));
    if ("reason" in conversion) leftOut.push({ name, line: reading.line, reason: conversion.reason });
    else {
      reportFaults(itsBlocks, faults);
      const columns = yield* converted(itsBlocks, conversion, faults);
      const intervals = yield* settled(name, columns, faults);
      series.push({ name, description: descriptionOf(reading, point), unit: conversion.unit.name, intervals });
    }
  }
  return { series, leftOut, notes: [] };
}

const reportFaults = (entries: readonly Entry[], faults: FaultList): void => {
  for (const { line, faults: kept, faultCount } of entries) {
    for (const fault of kept) faults.add(fault.line, fault.message);
    if (faultCount > kept.length) faults.add(line, `and ${faultCount - kept.length} more faults of this IntervalBlock`);
  }
};

/** Some exports have a ReadingType and blocks only. */
const readingsOr = (readings: readonly Entry[], [type, ...others]: readonly Entry[]): readonly Entry[] => {
  if (readings.length > 0 || type === undefined || others.length > 0) return readings;
  return [{ ...emptyEntry(type.line), id: type.title || "readings" }];
};

const blocksByReading = (
  blocks: readonly Entry[],
  readings: readonly Entry[],
  faults: FaultList,
): ReadonlyMap<Entry, readonly Entry[]> => {
  const found = new Map<Entry, Entry[]>();
  const linked = new Linked(readings);
  for (const block of blocks) {
    const owner = linked.ownerOf(block);
    const known = owner === null ? undefined : found.get(owner);
    if (owner === null)
      faults.add(block.line, "the links of this IntervalBlock lead to no MeterReading of the file; get the whole feed");
    else if (known !== undefined) known.push(block);
    else if (found.size === MAX_SERIES)
      throw new Unreadable(
        block.line,
        `the file has more than ${MAX_SERIES} meter readings; split it into several files`,
      );
    else found.set(owner, [block]);
  }
  return found;
};

const conversionFor = (point: Entry | null, type: Entry | null): Conversion | { readonly reason: string } => {
  const service = point?.service ?? ELECTRICITY;
  if (service !== ELECTRICITY) return { reason: `its service is not electricity (ServiceCategory ${service})` };
  const members = type?.type ?? null;
  return members === null ? { reason: "its ReadingType is not in the file" } : conversionOf(members);
};

function* converted(
  entries: readonly Entry[],
  conversion: Conversion,
  faults: FaultList,
): Generator<undefined, IntervalColumns> {
  const columns = new IntervalColumns(null);
  for (const rows of entries.flatMap((entry) => entry.rows ?? [])) {
    for (let at = 0; at < rows.count; at++) {
      if (at % STEP === 0) yield;
      const line = rows.line[at] ?? 0;
      const seconds = rows.seconds[at] || conversion.seconds;
      const fault = lengthFault(seconds);
      if (fault !== null) faults.add(line, fault);
      else
        columns.add({
          startMs: rows.startMs[at] ?? 0,
          seconds,
          value: kilowattsOf(rows.powerKw[at] ?? 0, conversion, seconds),
          isEstimated: rows.isEstimated[at] === 1,
          line,
        });
    }
  }
  return columns;
}
