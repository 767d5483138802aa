import type { LoadSeries } from "@curtail/measure";
import type { SiteDetail, SiteResult, SiteSummary } from "../operations/site-summary.js";

/** A series as JSON holds it: null for a gap. */
type StoredSeries = Omit<LoadSeries, "values"> & { readonly values: ReadonlyArray<number | null> };

/** The detail of a site's result as it is kept. */
export type StoredDetail = Omit<SiteDetail, "load" | "curve" | "unadjusted"> & {
  readonly load: StoredSeries;
  readonly curve: StoredSeries | null;
  readonly unadjusted: StoredSeries | null;
};

export const encodeResult = (result: SiteResult): { readonly summary: string; readonly detail: string } => {
  const { method, explanation, load, curve, unadjusted, ...summary } = result;
  const detail = {
    method,
    explanation,
    load: toStored(load),
    curve: curve === null ? null : toStored(curve),
    unadjusted: unadjusted === null ? null : toStored(unadjusted),
  };
  return { summary: JSON.stringify(summary), detail: JSON.stringify(detail) };
};

export const decodeResult = (summary: SiteSummary, detail: StoredDetail): SiteResult => ({
  ...summary,
  ...detail,
  load: fromStored(detail.load),
  curve: detail.curve === null ? null : fromStored(detail.curve),
  unadjusted: detail.unadjusted === null ? null : fromStored(detail.unadjusted),
});

const toStored = (series: LoadSeries): StoredSeries => ({
  ...series,
  values: Array.from(series.values, (kw) => (Number.isNaN(kw) ? null : kw)),
});

const fromStored = (series: StoredSeries): LoadSeries => ({
  ...series,
  values: Float64Array.from(series.values, (kw) => kw ?? Number.NaN),
});
