/** 30-second cells of a day. */
export const CELLS_PER_DAY = 2880;

/**
 * A day cut at a regular step: each slot holds one power in all of its cells, NaN where there is none. A reading of
 * five minutes fills ten cells, and is one slot.
 */
export interface DaySlots {
  readonly stepCells: number;
  /** Cells before the first whole slot, which are a slot of their own. */
  readonly phase: number;
  readonly powers: Float64Array;
}

/** The day in the longest slots that it can be cut into, of at most `mostCells`. */
export const slotsOf = (cells: Float64Array, mostCells = CELLS_PER_DAY): DaySlots => {
  const { stepCells, phase } = cutOf(cells, mostCells);
  if (stepCells === 1) return { stepCells, phase, powers: cells };
  const powers = new Float64Array(slotCount(stepCells, phase));
  for (let slot = 0; slot < powers.length; slot++) {
    powers[slot] = cells[startOf(slot, stepCells, phase)] ?? Number.NaN;
  }
  return { stepCells, phase, powers };
};

export const cellsOfSlots = ({ stepCells, phase, powers }: DaySlots): Float64Array => {
  if (stepCells === 1) return powers;
  const cells = new Float64Array(CELLS_PER_DAY);
  for (let slot = 0; slot < powers.length; slot++) {
    const kw = powers[slot] ?? Number.NaN;
    const end = Math.min(CELLS_PER_DAY, startOf(slot + 1, stepCells, phase));
    for (let cell = startOf(slot, stepCells, phase); cell < end; cell++) cells[cell] = kw;
  }
  return cells;
};

export const slotCount = (stepCells: number, phase: number): number =>
  Math.ceil((CELLS_PER_DAY - phase) / stepCells) + (phase > 0 ? 1 : 0);

/** The first cell of a slot. */
export const startOf = (slot: number, stepCells: number, phase: number): number =>
  phase === 0 ? slot * stepCells : Math.max(0, phase + (slot - 1) * stepCells);

/** The step is what the distances between all changes have in common, and with the most, if it is longer. */
const cutOf = (cells: Float64Array, mostCells: number): { readonly stepCells: number; readonly phase: number } => {
  let first = -1;
  let step = 0;
  for (let cell = 1; cell < CELLS_PER_DAY && step !== 1; cell++) {
    if (isSame(cells[cell - 1] ?? Number.NaN, cells[cell] ?? Number.NaN)) continue;
    if (first < 0) first = cell;
    // Without the test, dividing would take most of the time.
    else if (step === 0 || (cell - first) % step !== 0) step = common(cell - first, step);
  }
  const regular = step === 0 ? CELLS_PER_DAY : step;
  const stepCells = regular > mostCells ? common(regular, mostCells) : regular;
  return { stepCells, phase: first < 0 ? 0 : first % stepCells };
};

const isSame = (a: number, b: number): boolean => (a === b ? a !== 0 || Object.is(a, b) : a !== a && b !== b);

const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));
