import type { LoadSeries } from "@curtail/measure";
import { FORMATS, type Formatted, withoutFormat } from "../../platform/database/stored-format.js";
import type { SiteDetail, SiteResult, SiteSummary } from "../operations/site-summary.js";

/** A series in JSON: null for a gap. */
type StoredSeries = Omit<LoadSeries, "values"> & { readonly values: ReadonlyArray<number | null> };

interface Detail extends Omit<SiteDetail, "load" | "curve" | "unadjusted"> {
  readonly load: StoredSeries;
  readonly curve: StoredSeries | null;
  readonly unadjusted: StoredSeries | null;
}

export type StoredSummary = Formatted<SiteSummary>;
export type StoredDetail = Formatted<Detail>;

const WHAT = "the result of a site";

export const encodeResult = (result: SiteResult): { readonly summary: string; readonly detail: string } => {
  const { method, explanation, load, curve, unadjusted, ...summary } = result;
  const detail: Detail = {
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
    load: fromStored(detail.load),
    curve: detail.curve === null ? null : fromStored(detail.curve),
    unadjusted: detail.unadjusted === null ? null : fromStored(detail.unadjusted),
  };
};

const toStored = (series: LoadSeries): StoredSeries => ({
  ...series,
  values: Array.from(series.values, (kw) => (Number.isNaN(kw) ? null : kw)),
});

const fromStored = (series: StoredSeries): LoadSeries => ({
  ...series,
  values: Float64Array.from(series.values, (kw) => kw ?? Number.NaN),
});
