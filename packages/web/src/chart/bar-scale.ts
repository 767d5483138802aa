/** The vertical scale of bars: round steps that include zero. */
export interface BarScale {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

const ROUND = [1, 2, 2.5, 5, 10] as const;
const WANTED_TICKS = 4;

/** A scale of the values that are known, with zero in it. */
export const barScale = (values: readonly (number | null)[]): BarScale => {
  const known = values.filter((value) => value !== null);
  const low = Math.min(0, ...known);
  const high = low === 0 ? Math.max(0, ...known) || 1 : Math.max(0, ...known);
  const step = roundStep((high - low) / WANTED_TICKS);
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const end = first === last ? last + 1 : last;
  const ticks = Array.from({ length: end - first + 1 }, (_, index) => (first + index) * step || 0);
  return { min: first * step || 0, max: end * step || 0, ticks };
};

const roundStep = (least: number): number => {
  const magnitude = 10 ** Math.floor(Math.log10(least));
  return (ROUND.find((each) => each * magnitude >= least * (1 - 1e-9)) ?? 10) * magnitude;
};

/** How many labels to skip, so that those left fit. */
export const labelEvery = (count: number, widthPx: number, labelPx: number): number => {
  const fitting = Math.max(1, Math.floor(widthPx / labelPx));
  const needed = Math.ceil(count / fitting);
  return [1, 2, 3, 4, 5, 6, 7, 10, 12].find((every) => every >= needed) ?? needed;
};
