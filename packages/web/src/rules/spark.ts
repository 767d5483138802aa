import type { operator } from "@curtail/contract";

/** What is drawn of a dispatch. */
export type SparkSource = Pick<
  operator.DispatchOverview,
  "start_time" | "end_time" | "ramp_until" | "commitment_kw" | "curve"
>;

/** A place in a drawing: 0 to 1 from the left, and from the top. */
export type DrawnPoint = readonly [x: number, y: number];

/** The curve of a dispatch against its commitment, from its start to its end. */
export interface Spark {
  /** One line for each stretch without a gap. */
  readonly delivered: ReadonlyArray<readonly DrawnPoint[]>;
  readonly committed: readonly DrawnPoint[];
  /** Areas between both where less is delivered. */
  readonly gaps: ReadonlyArray<readonly DrawnPoint[]>;
  /** Where the past ends. */
  readonly nowX: number;
  /** What the top of the drawing stands for, in kW; its bottom is 0. */
  readonly topKw: number;
  readonly endMs: number;
}

/** An open-ended dispatch is drawn so far ahead. */
const AHEAD_MS = 1_800_000;
const HEADROOM = 1.15;

export const sparkOf = (dispatch: SparkSource, now: Date): Spark => {
  const scale = scaleOf(dispatch, now);
  const points = pointsOf(dispatch, scale);
  const committed = committedOf(dispatch, scale);
  return {
    delivered: stretches(points).map((stretch) => stretch.map(({ ms, kw }) => scale.place(ms, kw))),
    committed,
    gaps: stretches(points).map((stretch) => gapOf(stretch, dispatch, scale)),
    nowX: scale.place(now.getTime(), 0)[0],
    topKw: scale.topKw,
    endMs: scale.endMs,
  };
};

interface Scale {
  readonly startMs: number;
  readonly endMs: number;
  readonly nowMs: number;
  readonly topKw: number;
  readonly place: (ms: number, kw: number) => DrawnPoint;
}

const unit = (value: number): number => Math.min(1, Math.max(0, value));

const scaleOf = ({ start_time, end_time, commitment_kw, curve }: SparkSource, now: Date): Scale => {
  const startMs = Date.parse(start_time);
  const nowMs = now.getTime();
  const endMs = Math.max(end_time === null ? nowMs + AHEAD_MS : Date.parse(end_time), startMs + 1);
  const mostKw = (curve?.delivered_kw ?? []).reduce<number>((most, kw) => Math.max(most, kw ?? 0), commitment_kw);
  const topKw = mostKw > 0 ? mostKw * HEADROOM : 1;
  const place = (ms: number, kw: number): DrawnPoint => [
    unit((ms - startMs) / (endMs - startMs)),
    unit(1 - kw / topKw),
  ];
  return { startMs, endMs, nowMs, topKw, place };
};

interface Point {
  readonly ms: number;
  /** null: unknown. */
  readonly kw: number | null;
}
type KnownPoint = Point & { readonly kw: number };

/** The end of each interval; the last one ends now. */
const pointsOf = ({ curve }: SparkSource, { nowMs }: Scale): readonly Point[] => {
  if (curve === null) return [];
  const fromMs = Date.parse(curve.from);
  return curve.delivered_kw.map((kw, index) => ({
    ms: Math.min(fromMs + (index + 1) * curve.step_seconds * 1000, nowMs),
    kw,
  }));
};

/** What is known, in pieces between what is not. */
const stretches = (points: readonly Point[]): ReadonlyArray<readonly KnownPoint[]> => {
  const found: KnownPoint[][] = [];
  let last: KnownPoint[] | null = null;
  for (const { ms, kw } of points) {
    if (kw === null) {
      last = null;
      continue;
    }
    if (last === null) found.push((last = []));
    last.push({ ms, kw });
  }
  return found;
};

const committedKwAt = ({ start_time, ramp_until, commitment_kw }: SparkSource, ms: number): number => {
  const startMs = Date.parse(start_time);
  const rampMs = ramp_until === null ? 0 : Date.parse(ramp_until) - startMs;
  return rampMs <= 0 ? commitment_kw : commitment_kw * Math.min(1, Math.max(0, (ms - startMs) / rampMs));
};

const committedOf = (dispatch: SparkSource, { startMs, endMs, place }: Scale): readonly DrawnPoint[] => {
  const rampMs = dispatch.ramp_until === null ? startMs : Math.min(Date.parse(dispatch.ramp_until), endMs);
  return [startMs, rampMs, endMs].map((ms) => place(ms, committedKwAt(dispatch, ms)));
};

/** Along the commitment and back along what was delivered, where that is less. */
const gapOf = (stretch: readonly KnownPoint[], dispatch: SparkSource, { place }: Scale): readonly DrawnPoint[] => {
  const above = stretch.map(({ ms }) => place(ms, committedKwAt(dispatch, ms)));
  const below = stretch.map(({ ms, kw }) => place(ms, Math.min(kw, committedKwAt(dispatch, ms))));
  return [...above, ...below.toReversed()];
};

/** As the data of an SVG path, in a drawing of the given size. */
export const pathOf = (
  places: readonly DrawnPoint[],
  [width, height]: readonly [number, number],
  isClosed = false,
): string =>
  places.length === 0
    ? ""
    : `M${places.map(([x, y]) => `${tenths(x * width)} ${tenths(y * height)}`).join("L")}${isClosed ? "Z" : ""}`;

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Round values of the axis of a drawing: 0 and one or two above, in kW. */
export const axisKw = (topKw: number): readonly number[] => {
  const step = 10 ** Math.floor(Math.log10(topKw));
  const steps = [step / 5, step / 2, step, step * 2, step * 5];
  const chosen = steps.find((each) => topKw / each < 3) ?? step;
  return Array.from({ length: Math.floor(topKw / chosen) + 1 }, (_, index) => index * chosen);
};
