import type { participantConsole } from "@curtail/contract";
import { deliveringOf } from "./headline.js";
import type { SparkSource } from "./spark.js";

type Dispatch = participantConsole.AccountDispatch;
type AccountCurve = Pick<participantConsole.AccountCurve, "curve" | "measured_until">;

/** As many as a drawing of a phone's width shows. */
const MOST_POINTS = 60;
const CELL_SECONDS = 30;

/** What the drawing of a dispatch needs, from the curve of all sites of an account; null without a commitment. */
export const accountSpark = (dispatch: Dispatch, { curve, measured_until }: AccountCurve): SparkSource | null => {
  const { committedKw } = deliveringOf(dispatch);
  if (committedKw === null) return null;
  const { start_time, end_time } = dispatch;
  const inside = curve.filter(({ timestamp }) => timestamp > start_time && timestamp <= measured_until);
  const points = inside.map(({ reduction_kw }) => reduction_kw);
  return { start_time, end_time, ramp_until: null, commitment_kw: committedKw, curve: fewer(points, start_time) };
};

/** Means of equally long stretches; null before the first interval is over. */
const fewer = (points: readonly (number | null)[], from: string): SparkSource["curve"] => {
  if (points.length === 0) return null;
  const each = Math.ceil(points.length / MOST_POINTS);
  const delivered_kw = Array.from({ length: Math.ceil(points.length / each) }, (_, index) =>
    meanOf(points.slice(index * each, (index + 1) * each)),
  );
  return { from, step_seconds: CELL_SECONDS * each, delivered_kw };
};

const meanOf = (points: readonly (number | null)[]): number | null => {
  const known = points.filter((point) => point !== null);
  return known.length === 0 ? null : known.reduce((sum, kw) => sum + kw, 0) / known.length;
};
