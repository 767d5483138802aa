import { CELL_SECONDS, type DropReason, type Explanation, explainedDays, type LoadSeries } from "@curtail/measure";
import { daysExplanationOf } from "../site-quality.js";
import type { SiteMeters, SiteResult } from "../site-summary.js";

/** Cells of the curves whose load differs. */
interface LoadDifference {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** Energy of the later load minus that of the earlier one, over the cells that both have. */
  readonly energyKwh: number;
}

/** What a day was for the baseline of another day; null: it was not looked at. */
type DayUse = "chosen" | "considered" | DropReason | null;

interface DayDifference {
  /** The day of the dispatch, or the day before or after it. */
  readonly eventDate: string;
  readonly date: string;
  readonly before: DayUse;
  readonly after: DayUse;
  /** Whether its load was corrected. */
  readonly isCorrected: boolean;
}

/** Why two results of a site differ: which of their inputs do. */
export interface InputDifference {
  readonly load: LoadDifference;
  readonly metersAdded: SiteMeters["summed"];
  readonly metersRemoved: SiteMeters["summed"];
  readonly days: readonly DayDifference[];
  /** kW if additive, a ratio if multiplicative; null without an adjustment. */
  readonly adjustment: { readonly before: number | null; readonly after: number | null };
}

export const inputDifference = (before: SiteResult, after: SiteResult): InputDifference => ({
  load: loadDifference(before.load, after.load),
  metersAdded: metersBeyond(after, before),
  metersRemoved: metersBeyond(before, after),
  days: daysBetween(before.explanation, after.explanation),
  adjustment: { before: appliedBy(before.explanation), after: appliedBy(after.explanation) },
});

const loadDifference = (before: LoadSeries, after: LoadSeries): LoadDifference => {
  const found = { added: 0, removed: 0, changed: 0, sumKw: 0 };
  const first = Math.min(before.firstCell, after.firstCell);
  const last = Math.max(before.firstCell + before.values.length, after.firstCell + after.values.length) - 1;
  for (let cell = first; cell <= last; cell++) {
    const [was, is] = [kwAt(before, cell), kwAt(after, cell)];
    if (Number.isNaN(was) && Number.isNaN(is)) continue;
    if (Number.isNaN(was)) found.added += 1;
    else if (Number.isNaN(is)) found.removed += 1;
    else if (was !== is) {
      found.changed += 1;
      found.sumKw += is - was;
    }
  }
  const { sumKw, ...cells } = found;
  return { ...cells, energyKwh: (sumKw * CELL_SECONDS) / 3600 };
};

const kwAt = ({ firstCell, values }: LoadSeries, cell: number): number => values[cell - firstCell] ?? Number.NaN;

/** Results of before meters were recorded name none. */
const metersBeyond = ({ meters }: SiteResult, { meters: others }: SiteResult): SiteMeters["summed"] => {
  if (meters === undefined || others === undefined) return [];
  const known = new Set(others.summed.map(({ id }) => id));
  return meters.summed.filter(({ id }) => !known.has(id));
};

const daysBetween = (before: Explanation, after: Explanation): DayDifference[] => {
  const [was, is] = [usesOf(before), usesOf(after)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  return keys
    .map((key) => {
      const [eventDate = "", date = ""] = key.split(" ");
      const [{ use: before = null, load = null } = {}, { use: after = null, load: later = null } = {}] = [
        was.get(key),
        is.get(key),
      ];
      return { eventDate, date, before, after, isCorrected: load !== null && later !== null && load !== later };
    })
    .filter((day) => day.before !== day.after || day.isCorrected);
};

interface UsedDay {
  readonly use: DayUse;
  /** Its load as text; null where it is not kept. */
  readonly load: string | null;
}

/** By the day that has the baseline and the day that was looked at. */
const usesOf = (explanation: Explanation): ReadonlyMap<string, UsedDay> => {
  const uses = new Map<string, UsedDay>();
  const days = daysExplanationOf(explanation);
  for (const each of days === undefined ? [] : explainedDays(days)) {
    const chosen = new Set([...(each.chosen ?? []), ...Object.values(each.chosenByInterval ?? {}).flat()]);
    for (const { date, kw, energyKwh } of each.pool) {
      const use = chosen.has(date) ? "chosen" : "considered";
      uses.set(`${each.eventDate} ${date}`, { use, load: JSON.stringify([kw, energyKwh]) });
    }
    for (const { date, reason } of each.dropped) uses.set(`${each.eventDate} ${date}`, { use: reason, load: null });
  }
  return uses;
};

const appliedBy = (explanation: Explanation): number | null =>
  daysExplanationOf(explanation)?.adjustment?.applied ?? null;
