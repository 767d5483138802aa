/** Power of a meter in cells of equal length, up to now; NaN where there is no reading. */
export interface MeterCells {
  readonly values: Float64Array;
  /** End of the first cell. */
  readonly firstEndMs: number;
  readonly cellMs: number;
}

/** A range of cells: start exclusive, end inclusive. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

export type FlatLine = Stretch & { readonly powerKw: number };

export interface Spike {
  readonly endMs: number;
  readonly powerKw: number;
}

/** How well a meter reports. */
export interface TelemetryHealth {
  /** Received cells divided by expected cells; 1 is complete. */
  readonly lastHour: number;
  readonly lastDay: number;
  readonly gaps: readonly Stretch[];
  readonly flatLines: readonly FlatLine[];
  readonly spikes: readonly Spike[];
}

const HOUR_MS = 3_600_000;
/** Exactly the same power for this long is more likely a stuck meter than a steady load. */
const FLAT_MS = HOUR_MS;
/** A cell this many median deviations from the median is a spike; if it lasts longer, it is a change of load. */
const SPIKE_DEVIATIONS = 20;
const SPIKE_CELLS = 4;
/** At most this many of each kind are listed, the latest. */
const MOST_NAMED = 50;

/** Health of a meter over one day of cells. */
export const healthOf = (cells: MeterCells): TelemetryHealth => {
  const { values, cellMs } = cells;
  const hour = values.subarray(Math.max(0, values.length - HOUR_MS / cellMs));
  return {
    lastHour: shareFilled(hour),
    lastDay: shareFilled(values),
    gaps: runsOf(values, (kw) => Number.isNaN(kw))
      .map((run) => stretchOf(run, cells))
      .slice(-MOST_NAMED),
    flatLines: flatLinesOf(cells).slice(-MOST_NAMED),
    spikes: spikesOf(cells).slice(-MOST_NAMED),
  };
};

/** Indexes `from` to `to`, inclusive. */
interface Run {
  readonly from: number;
  readonly to: number;
}

const shareFilled = (values: Float64Array): number =>
  values.reduce((count, kw) => count + (Number.isNaN(kw) ? 0 : 1), 0) / values.length;

const stretchOf = ({ from, to }: Run, { firstEndMs, cellMs }: MeterCells): Stretch => ({
  startMs: firstEndMs + (from - 1) * cellMs,
  endMs: firstEndMs + to * cellMs,
});

/** Runs of cells that meet a condition. */
const runsOf = (values: Float64Array, claim: (kw: number, index: number) => boolean): Run[] => {
  const runs: Run[] = [];
  let from = -1;
  for (let index = 0; index <= values.length; index++) {
    const meets = index < values.length && claim(values[index] ?? Number.NaN, index);
    if (meets && from < 0) from = index;
    if (!meets && from >= 0) {
      runs.push({ from, to: index - 1 });
      from = -1;
    }
  }
  return runs;
};

/** Zero is left out: a generator at night is not a stuck meter. */
const flatLinesOf = (cells: MeterCells): FlatLine[] => {
  const { values, cellMs } = cells;
  const isSame = (kw: number, index: number) => kw !== 0 && kw === values[index - 1];
  return runsOf(values, isSame)
    .map(({ from, to }) => ({ from: from - 1, to }))
    .filter(({ from, to }) => (to - from + 1) * cellMs >= FLAT_MS)
    .map((run) => ({ ...stretchOf(run, cells), powerKw: values[run.to] ?? 0 }));
};

const spikesOf = (cells: MeterCells): Spike[] => {
  const { values, firstEndMs, cellMs } = cells;
  const present = values.filter((kw) => !Number.isNaN(kw));
  const middleKw = medianOf(present);
  const deviationKw = medianOf(present.map((kw) => Math.abs(kw - middleKw)));
  // If the load is the same most of the day, there is no deviation to compare with.
  if (!(deviationKw > 0)) return [];
  const isFar = (kw: number) => Math.abs(kw - middleKw) > SPIKE_DEVIATIONS * deviationKw;
  return runsOf(values, isFar)
    .filter(({ from, to }) => to - from < SPIKE_CELLS)
    .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
    .map((index) => ({ endMs: firstEndMs + index * cellMs, powerKw: values[index] ?? 0 }));
};

const medianOf = (values: Float64Array): number => {
  const sorted = values.toSorted();
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
};
