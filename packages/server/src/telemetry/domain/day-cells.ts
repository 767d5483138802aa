import { ByteReader, ByteWriter, DamagedBytes } from "./bytes.js";
import { CELLS_PER_DAY, cellsOfSlots, type DaySlots, slotCount, slotsOf } from "./day-slots.js";
import { type DecimalScale, findScale, isScale, powerOfWhole, wholeOfPower } from "./decimal-scale.js";

// How powers are stored.
const PLAIN = 0;
const SCALED = 1;

/** Powers without a whole number, at most: with more, plain powers take less. */
const MOST_EXCEPTIONS = 1 / 4;

/**
 * The cells of a day (UTC) as bytes, exact to the bit. A cell is a power in kW, or NaN without one, so NaN is no power.
 * Powers are stored as whole numbers of a decimal unit, each as the difference from the one before.
 */
export const packCells = (cells: Float64Array): Uint8Array => {
  if (cells.length !== CELLS_PER_DAY) throw new Error(`a day has ${CELLS_PER_DAY} cells, not ${cells.length}`);
  const slots = slotsOf(cells);
  const writer = new ByteWriter();
  writer.whole(slots.stepCells);
  writer.whole(slots.phase);
  const powers = writePresence(writer, slots.powers);
  const scale = findScale(powers);
  if (scale === null || !writeScaled(writer, powers, scale)) writePlain(writer, powers);
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

const writePlain = (writer: ByteWriter, powers: Float64Array): void => {
  writer.whole(PLAIN);
  for (const kw of powers) writer.double(kw);
};

/** Writes nothing and returns false if too many powers have no whole number. */
const writeScaled = (writer: ByteWriter, powers: Float64Array, scale: DecimalScale): boolean => {
  const wholes = new Float64Array(powers.length);
  const exceptions: number[] = [];
  for (let index = 0; index < powers.length; index++) {
    const whole = wholeOfPower(powers[index] ?? 0, scale);
    if (whole !== whole) exceptions.push(index);
    // An exception repeats the number before it, which takes the least.
    wholes[index] = whole === whole ? whole : (wholes[index - 1] ?? 0);
  }
  if (exceptions.length > powers.length * MOST_EXCEPTIONS) return false;
  writer.whole(SCALED);
  writer.whole(scale.digits);
  writer.whole(scale.energySeconds);
  writeExceptions(writer, exceptions, powers);
  let before = 0;
  for (const whole of wholes) {
    writer.signed(whole - before);
    before = whole;
  }
  return true;
};

const writeExceptions = (writer: ByteWriter, exceptions: readonly number[], powers: Float64Array): void => {
  writer.whole(exceptions.length);
  let before = 0;
  for (const index of exceptions) {
    writer.whole(index - before);
    writer.double(powers[index] ?? 0);
    before = index;
  }
};

const readPowers = (reader: ByteReader, count: number): Float64Array => {
  const form = reader.whole();
  if (form === SCALED) return readScaled(reader, count);
  if (form !== PLAIN) throw new DamagedBytes(`no form ${form} of powers is known`);
  const powers = new Float64Array(count);
  for (let index = 0; index < count; index++) powers[index] = reader.double();
  return powers;
};

const readScaled = (reader: ByteReader, count: number): Float64Array => {
  const scale = { digits: reader.whole(), energySeconds: reader.whole() };
  if (!isScale(scale)) throw new DamagedBytes("no such unit of power");
  const exceptions = readExceptions(reader, count);
  const powers = new Float64Array(count);
  let whole = 0;
  for (let index = 0; index < count; index++) {
    whole += reader.signed();
    powers[index] = powerOfWhole(whole, scale);
  }
  for (const [index, kw] of exceptions) powers[index] = kw;
  return powers;
};

const readExceptions = (reader: ByteReader, count: number): Array<readonly [index: number, powerKw: number]> => {
  const exceptions: Array<readonly [number, number]> = [];
  let index = 0;
  for (let left = reader.whole(); left > 0; left--) {
    index += reader.whole();
    if (index >= count) throw new DamagedBytes("an exception is beyond the powers");
    exceptions.push([index, reader.double()]);
  }
  return exceptions;
};
