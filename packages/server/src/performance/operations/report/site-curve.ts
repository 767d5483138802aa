import { CELL_SECONDS, type CellQuality, cellEndMs, cellQuality, dueCell, onGrid, valueAt } from "@curtail/measure";
import type { SiteReport } from "../measure-dispatch.js";

/** A cell of a site's curves; null for missing values. */
export interface CurveCell {
  readonly endMs: number;
  readonly baselineKw: number | null;
  /** Before the adjustment. */
  readonly unadjustedKw: number | null;
  readonly loadKw: number | null;
  readonly reductionKw: number | null;
  readonly targetKw: number | null;
  /** Of the load; null while it is not due. */
  readonly quality: CellQuality | null;
}

/** The curves of a site on 30 s cells, from an hour before the start to an hour after the end. */
export const curveOf = ({ site, earlier, asOfMs }: Pick<SiteReport, "site" | "earlier" | "asOfMs">): CurveCell[] => {
  const { load, commitmentKw } = site;
  const due = dueCell(asOfMs, site.readingSeconds);
  const line = site.curve === null ? null : onGrid(site.curve, CELL_SECONDS);
  const unadjusted = site.unadjusted === null ? null : onGrid(site.unadjusted, CELL_SECONDS);
  return Array.from(load.values, (loadKw, index) => {
    const cell = load.firstCell + index;
    const baselineKw = line === null ? Number.NaN : valueAt(line, cell);
    return {
      endMs: cellEndMs(cell),
      baselineKw: orNull(baselineKw),
      unadjustedKw: unadjusted === null ? null : orNull(valueAt(unadjusted, cell)),
      loadKw: orNull(loadKw),
      reductionKw: orNull(baselineKw - loadKw),
      targetKw: commitmentKw === null ? null : orNull(baselineKw - commitmentKw),
      quality: Number.isNaN(loadKw) && cell > due ? null : cellQuality(cell, load, earlier),
    };
  });
};

const orNull = (kw: number): number | null => (Number.isNaN(kw) ? null : kw);
