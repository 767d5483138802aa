import { type ByteReader, type ByteWriter, DamagedBytes } from "./bytes.js";
import { type DecimalScale, findScale, isScale, powerOfWhole, wholeOfPower } from "./decimal-scale.js";

// How powers are stored.
const PLAIN = 0;
const SCALED = 1;

/** Powers without a whole number, at most: with more, plain powers take less. */
const MOST_EXCEPTIONS = 1 / 4;

/** Powers exact to the bit: as whole numbers of a decimal unit, each as the difference from the one before, or as they are. */
export const writePowers = (writer: ByteWriter, powers: Float64Array): void => {
  const scale = findScale(powers);
  if (scale === null || !writeScaled(writer, powers, scale)) writePlain(writer, powers);
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

/** Throws `DamagedBytes` unless the bytes are those of so many powers. */
export const readPowers = (reader: ByteReader, count: number): Float64Array => {
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
