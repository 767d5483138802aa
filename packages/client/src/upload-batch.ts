/** A reading with its place among those that are to be uploaded. */
export interface Item<Reading> {
  readonly index: number;
  readonly reading: Reading;
  /** Bytes of its JSON. */
  readonly bytes: number;
  /** Its own text looks like a place in a message, so it is sent alone: a refusal then cannot name another one. */
  readonly isAlone: boolean;
}

export interface BatchLimits {
  readonly maxReadings: number;
  readonly maxBytes: number;
}

/** `{"controllable_load":[]}`, the longest text around the readings. */
const AROUND_BYTES = 24;

export const itemOf = <Reading>(reading: Reading, index: number): Item<Reading> => {
  const text = JSON.stringify(reading) ?? "null";
  const isAlone = text.includes("telemetry[") || text.includes("controllable_load[");
  return { index, reading, bytes: new TextEncoder().encode(text).length, isAlone };
};

/** Splits readings, in their order, into batches within the limits; one that is too large by itself is a batch. */
export const batchesOf = <Reading>(
  items: ReadonlyArray<Item<Reading>>,
  { maxReadings, maxBytes }: BatchLimits,
): ReadonlyArray<ReadonlyArray<Item<Reading>>> => {
  const batches: Array<Array<Item<Reading>>> = [];
  let room = 0;
  for (const item of items) {
    const last = batches.at(-1);
    const [before] = last ?? [];
    const needed = item.bytes + 1;
    const isNew =
      last === undefined || last.length >= maxReadings || needed > room || item.isAlone || before?.isAlone === true;
    if (isNew) batches.push([item]);
    else last.push(item);
    room = (isNew ? maxBytes - AROUND_BYTES : room) - needed;
  }
  return batches;
};

/** Two halves of a batch, in order. */
export const halvesOf = <T>(batch: readonly T[]): readonly [readonly T[], readonly T[]] => {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
};
