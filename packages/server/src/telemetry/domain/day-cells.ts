import { ByteReader, ByteWriter, DamagedBytes } from "./bytes.js";
import { CELLS_PER_DAY, cellsOfSlots, type DaySlots, slotCount, slotsOf } from "./day-slots.js";
import { readPowers, writePowers } from "./packed-powers.js";

/**
 * The cells of a day (UTC) as bytes, exact to the bit. A cell is a power in kW, or NaN without one, so NaN is no power.
 */
export const packCells = (cells: Float64Array): Uint8Array => {
  if (cells.length !== CELLS_PER_DAY) throw new Error(`a day has ${CELLS_PER_DAY} cells, not ${cells.length}`);
  const slots = slotsOf(cells);
  const writer = new ByteWriter();
  writer.whole(slots.stepCells);
  writer.whole(slots.phase);
  const powers = writePresence(writer, slots.powers);
  writePowers(writer, powers);
  return writer.written();
};

/** Throws `DamagedBytes` unless the bytes are those of a whole day. */
export const unpackCells = (bytes: Uint8Array): Float64Array => {
  const reader = new ByteReader(bytes);
  const stepCells = reader.whole();
  const phase = reader.whole();
  if (stepCells < 1 || stepCells > CELLS_PER_DAY || phase >= stepCells) throw new DamagedBytes("no such slots");
  const powers = new Float64Array(slotCount(stepCells, phase));
  const runs = readPresence(reader, powers.length);
  const present = runs.reduce((sum, length, index) => (index % 2 === 0 ? sum + length : sum), 0);
  place(readPowers(reader, present), runs, powers);
  reader.end();
  return cellsOfSlots({ stepCells, phase, powers } satisfies DaySlots);
};

/** Writes the lengths of the runs that have powers and that have none, in turns, and returns the powers. */
const writePresence = (writer: ByteWriter, slots: Float64Array): Float64Array => {
  const powers = new Float64Array(slots.length);
  let count = 0;
  let began = 0;
  let isPresent = true;
  for (let slot = 0; slot < slots.length; slot++) {
    const kw = slots[slot] ?? Number.NaN;
    if (kw === kw) powers[count++] = kw;
    if ((kw === kw) === isPresent) continue;
    writer.whole(slot - began);
    began = slot;
    isPresent = !isPresent;
  }
  writer.whole(slots.length - began);
  return powers.subarray(0, count);
};

const readPresence = (reader: ByteReader, slots: number): number[] => {
  const runs: number[] = [];
  for (let left = slots; left > 0; ) {
    const length = reader.whole();
    if (length > left || (length === 0 && runs.length > 0)) throw new DamagedBytes("a run is too long or empty");
    runs.push(length);
    left -= length;
  }
  return runs;
};

const place = (powers: Float64Array, runs: readonly number[], slots: Float64Array): void => {
  let slot = 0;
  let read = 0;
  for (const [index, length] of runs.entries()) {
    if (index % 2 === 1) slots.fill(Number.NaN, slot, slot + length);
    else {
      slots.set(powers.subarray(read, read + length), slot);
      read += length;
    }
    slot += length;
  }
};
