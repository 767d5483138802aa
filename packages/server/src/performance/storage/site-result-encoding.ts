import type { ComparedInterval, DaysExplanation, Explanation, LoadSeries } from "@curtail/measure";
import { FORMATS, type Formatted, withoutFormat } from "../../platform/database/stored-format.js";
import type { SiteDetail, SiteResult, SiteSummary } from "../operations/site-summary.js";

/** A series in JSON: null for a gap. */
type StoredSeries = Omit<LoadSeries, "values"> & { readonly values: ReadonlyArray<number | null> };

interface Detail extends Omit<SiteDetail, "load" | "curve" | "unadjusted"> {
  readonly load: StoredSeries;
  readonly curve: StoredSeries | null;
  readonly unadjusted: StoredSeries | null;
}

/** The load of a result alone. */
export type StoredLoad = Formatted<Pick<Detail, "load">>;
export type StoredSummary = Formatted<SiteSummary>;
export type StoredDetail = Formatted<Detail>;

const WHAT = "the result of a site";

export const encodeResult = (result: SiteResult): { readonly summary: string; readonly detail: string } => {
  const { meters, preset, method, explanation, load, curve, unadjusted, ...summary } = result;
  const detail: Detail = {
    ...(meters === undefined ? {} : { meters }),
    ...(preset === undefined ? {} : { preset }),
    method,
    explanation,
    load: toStored(load),
    curve: curve === null ? null : toStored(curve),
    unadjusted: unadjusted === null ? null : toStored(unadjusted),
  };
  const format = FORMATS.siteResult;
  return { summary: JSON.stringify({ ...summary, format }), detail: JSON.stringify({ ...detail, format }) };
};

export const decodeSummary = (stored: StoredSummary): SiteSummary => withoutFormat(stored, FORMATS.siteResult, WHAT);

export const decodeResult = (summary: StoredSummary, stored: StoredDetail): SiteResult => {
  const detail: Detail = withoutFormat(stored, FORMATS.siteResult, WHAT);
  return {
    ...decodeSummary(summary),
    ...detail,
    explanation: completed(detail.explanation),
    load: fromStored(detail.load),
    curve: detail.curve === null ? null : fromStored(detail.curve),
    unadjusted: detail.unadjusted === null ? null : fromStored(detail.unadjusted),
  };
};

export const decodeLoad = (stored: StoredLoad): LoadSeries =>
  fromStored(withoutFormat(stored, FORMATS.siteResult, WHAT).load);

/** Members that results of before do not have. */
const NO_VALUES = { kw: [] as readonly number[] };
const NO_INTERVALS = { intervals: [] as readonly string[] };
const NO_COMPARISON = { intervals: [] as readonly ComparedInterval[] };

const completed = (explanation: Explanation): Explanation => {
  if (explanation.kind === "days") return completedDays(explanation);
  if (explanation.kind !== "meter_before") return explanation;
  const { insteadOf } = explanation;
  return {
    ...NO_VALUES,
    ...explanation,
    ...(insteadOf === undefined ? {} : { insteadOf: completedDays(insteadOf) }),
  };
};

const completedDays = ({ laterDays, ...first }: DaysExplanation): DaysExplanation => ({
  ...completedChoice(first),
  adjustment: first.adjustment === null ? null : { ...NO_COMPARISON, ...first.adjustment },
  ...(laterDays === undefined ? {} : { laterDays: laterDays.map(completedChoice) }),
});

const completedChoice = <Choice extends Pick<DaysExplanation, "intervals" | "pool">>(choice: Choice): Choice => ({
  ...NO_INTERVALS,
  ...choice,
  pool: choice.pool.map((day) => ({ ...NO_VALUES, ...day })),
});

const toStored = (series: LoadSeries): StoredSeries => ({
  ...series,
  values: Array.from(series.values, (kw) => (Number.isNaN(kw) ? null : kw)),
});

const fromStored = (series: StoredSeries): LoadSeries => ({
  ...series,
  values: Float64Array.from(series.values, (kw) => kw ?? Number.NaN),
});
