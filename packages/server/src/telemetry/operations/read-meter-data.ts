import { type MeterData, MeterDataReader, type ReadOptions } from "@curtail/meter-data";
import { turns } from "../../platform/turns.js";

/** Takes about a millisecond to read. */
const PIECE_BYTES = 32_768;

/** Reads a file in pieces, so that others are served in between. */
export const readMeterData = async (file: Uint8Array, options: ReadOptions): Promise<MeterData> => {
  const reader = new MeterDataReader(options);
  const othersTurn = turns();
  for (let at = 0; at < file.length; at += PIECE_BYTES) {
    reader.add(file.subarray(at, at + PIECE_BYTES));
    await othersTurn();
  }
  return inTurns(reader.finish(), othersTurn);
};

/** Carries out work that yields between its steps. */
export const inTurns = async <T>(work: Generator<undefined, T>, othersTurn = turns()): Promise<T> => {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await othersTurn();
  }
};
