import { type BaselineMethod, DAY_TYPES, type DayRule, INTERVAL_SECONDS, RANKINGS } from "./method.js";
import { byKind, flag, integer, list, nullOr, number, object, oneOf, optional, type Shape } from "./shape.js";

/**
 * Faults of a value that should be a `BaselineMethod`, each with its path and what to give instead, such as
 * `rules[0].pool.days is 0; give a whole number from 1 to 100`. Empty if it is valid.
 */
export const methodFaults = (value: unknown): string[] => {
  const faults = method(value, "");
  return faults.length > 0 ? faults : contradictions(value as BaselineMethod);
};

/** Whether a value is a `BaselineMethod`; `methodFaults` returns the reasons if not. */
export const isBaselineMethod = (value: unknown): value is BaselineMethod => methodFaults(value).length === 0;

const MOST_KW = 1e9;
const MOST_DAYS = 100;
const MOST_MINUTES = 7 * 1440;

const kw = number(-MOST_KW, MOST_KW);
const anchor = oneOf(["start", "notification"]);
const rankBy = oneOf(RANKINGS);
const dayCount = integer(1, MOST_DAYS);

const window = object({
  anchor,
  from_minutes_before: number(0, MOST_MINUTES),
  to_minutes_before: number(0, MOST_MINUTES),
});

/** May lie after the dispatch. */
const matchWindow = object({
  anchor,
  from_minutes_before: number(-MOST_MINUTES, MOST_MINUTES),
  to_minutes_before: number(-MOST_MINUTES, MOST_MINUTES),
});

const meterBefore = { seconds: integer(30, 86_400), anchor };

const pool = object({
  day_types: list(oneOf(DAY_TYPES), 1, DAY_TYPES.length),
  lookback_days: integer(1, 366),
  days: dayCount,
  min_days: dayCount,
  fill: optional(nullOr(oneOf(["highest_event_days"]))),
  exclude: object({ event: flag, incomplete: flag, low_usage: nullOr(number(0, 1)) }),
});

const pick = byKind({
  all: {},
  high: { count: dayCount, rank_by: rankBy },
  middle: { drop_highest: integer(0, MOST_DAYS), drop_lowest: integer(0, MOST_DAYS), rank_by: rankBy },
  match: { count: dayCount, window: matchWindow },
});

const bounds = { window, lowest: nullOr(kw), highest: nullOr(kw) };

const method: Shape = byKind({
  days: {
    interval_seconds: oneOf(INTERVAL_SECONDS),
    rules: list(object({ pool, pick }), 1, DAY_TYPES.length),
    average: byKind({ mean: {}, rolling: { alpha: number(0, 1), seed_days: optional(dayCount) } }),
    adjust: byKind({ none: {}, additive: bounds, multiplicative: bounds }),
    allow_negative: flag,
    fallback: nullOr(byKind({ meter_before: meterBefore })),
  },
  meter_before: meterBefore,
  flat: { kw },
  firm_service_level: { level_kw: kw, reference_kw: nullOr(kw) },
});

/** Members that are valid on their own but not in combination. */
const contradictions = (value: BaselineMethod): string[] => {
  if (value.kind !== "days") return [];
  const { adjust, rules } = value;
  const faults = rules.flatMap(contradictionsOfRule);
  if (adjust.kind === "none") return faults;
  const { window, lowest, highest } = adjust;
  if (lowest !== null && highest !== null && lowest > highest) {
    faults.push(`adjust.lowest is ${lowest}; give one that is not above adjust.highest, ${highest}`);
  }
  return [...faults, ...windowContradiction(window, "adjust.window")];
};

const contradictionsOfRule = ({ pool, pick }: DayRule, index: number): string[] => {
  const path = `rules[${index}]`;
  const faults: string[] = [];
  if (pool.min_days > pool.days) {
    faults.push(`${path}.pool.min_days is ${pool.min_days}; give one that is not above pool.days, ${pool.days}`);
  }
  if (pick.kind === "middle" && pick.drop_highest + pick.drop_lowest >= pool.min_days) {
    const dropped = pick.drop_highest + pick.drop_lowest;
    faults.push(`${path}.pick drops ${dropped} days; drop fewer than pool.min_days, ${pool.min_days}`);
  }
  return pick.kind === "match" ? [...faults, ...windowContradiction(pick.window, `${path}.pick.window`)] : faults;
};

const windowContradiction = (
  { from_minutes_before: from, to_minutes_before: to }: { from_minutes_before: number; to_minutes_before: number },
  path: string,
): string[] =>
  from > to ? [] : [`${path}.from_minutes_before is ${from}; give one that is above to_minutes_before, ${to}`];
