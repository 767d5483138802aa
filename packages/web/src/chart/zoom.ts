/** A time range of a chart, in seconds since 1970. */
export interface TimeRange {
  readonly min: number;
  readonly max: number;
}

/** Two intervals; fewer show no curve. */
const LEAST_SECONDS = 60;

/** The range cut to the data of the chart; null if it covers all of it, or all but what addresses lose by rounding. */
export const within = ({ min, max }: TimeRange, whole: TimeRange): TimeRange | null => {
  const length = Math.max(LEAST_SECONDS, max - min);
  if (whole.max - whole.min - length < LEAST_SECONDS) return null;
  const from = Math.min(Math.max(min, whole.min), whole.max - length);
  return { min: from, max: from + length };
};

/** Scales the range around its middle. */
export const scaled = (range: TimeRange, factor: number): TimeRange =>
  scaledAt(range, (range.min + range.max) / 2, factor);

/** Scales the range around a moment, which stays where it is. */
export const scaledAt = ({ min, max }: TimeRange, at: number, factor: number): TimeRange => ({
  min: at - (at - min) * factor,
  max: at + (max - at) * factor,
});

/** The kept range, if the chart has data in it: a page may have charts of other days. */
export const overlapping = (range: TimeRange | null, whole: TimeRange): TimeRange | null =>
  range !== null && range.min < whole.max && range.max > whole.min ? range : null;

/** `1795000000..1795003600`, the form of a zoom in an address. */
export const zoomText = ({ min, max }: TimeRange): string => `${Math.round(min)}..${Math.round(max)}`;

/** null: the text is no zoom. */
export const zoomOf = (text: string | undefined): TimeRange | null => {
  const [, from, to] = /^(\d{1,11})\.\.(\d{1,11})$/.exec(text ?? "") ?? [];
  const [min, max] = [Number(from), Number(to)];
  return min < max ? { min, max } : null;
};

/** Moves the range by a share of its length; negative: to earlier times. */
export const moved = ({ min, max }: TimeRange, share: number): TimeRange => {
  const bySeconds = (max - min) * share;
  return { min: min + bySeconds, max: max + bySeconds };
};

/** The range that keeps two moments under two fingers; positions are pixels from the left of the plot. */
export const pinched = (
  [first, second]: readonly [seconds: number, seconds: number],
  [firstX, secondX]: readonly [px: number, px: number],
  widthPx: number,
): TimeRange => {
  // Fingers that meet or cross would reverse time.
  const apartPx = Math.max(1, Math.abs(secondX - firstX));
  const [early, earlyX] = first < second ? [first, Math.min(firstX, secondX)] : [second, Math.min(firstX, secondX)];
  const secondsPerPx = Math.abs(second - first) / apartPx;
  const min = early - earlyX * secondsPerPx;
  return { min, max: min + widthPx * secondsPerPx };
};
