// Computes again what a site delivered in a dispatch, from the participants' interface alone, and compares it with the
// result. Plain Node 20, no dependencies; the steps are described in docs/recompute.md.
// node recompute.mjs <url> <API key> <dispatch id> <site id> [version]
import { argv, exit, stdout } from "node:process";

const [url, key, dispatch, site, version = ""] = argv.slice(2);
const query = version === "" ? "" : `?version=${version}`;
const address = `${url}/2022-04-15/dispatches/${dispatch}/sites/${site}/performance${query}`;
const response = await fetch(address, { headers: { "X-Service-API-Key": key } });
if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
const result = await response.json();

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const isKnown = (value) => value !== null;
const ms = (time) => Date.parse(time);

const { method, explanation } = result;
const days = explanation.kind === "days" ? explanation : null;
/** The days of the dispatch, and those before and after it, each with a pool of its own. */
const choices = days === null ? [] : [days, ...days.later_days, ...days.other_days];

/** Local date and start by the local clock, HH:MM:SS, of the interval of the baseline that contains an instant. */
const clockOf = new Intl.DateTimeFormat("sv-SE", { timeZone: days?.timezone, dateStyle: "short", timeStyle: "medium" });
const intervalAt = (atMs) => {
  const [date, clock] = clockOf.format(atMs).split(" ");
  const [hours, minutes, seconds] = clock.split(":").map(Number);
  const second = hours * 3600 + minutes * 60 + seconds;
  const start = (second - (second % days.interval_seconds)) * 1000;
  return { date, label: new Date(start).toISOString().slice(11, 19) };
};

const onGrid = (time) => Math.floor(ms(time) / 30_000 + 0.5) * 30_000;
const [startMs, endMs] = [onGrid(result.start_time), onGrid(result.measured_until)];
const isMeasured = ({ timestamp }) => ms(timestamp) > startMs && ms(timestamp) <= endMs;

const measured =
  days === null ? [] : result.curve.filter(isMeasured).map((cell) => intervalAt(ms(cell.timestamp) - 30_000));

/** A day's mean over the intervals of the dispatch on that day of it; over all for a day before or after it. */
const eventMean = (choice, day) => {
  const { event_date: date, intervals } = choice;
  const during = measured.filter((interval) => interval.date === date).map(({ label }) => label);
  const labels = new Set(days.other_days.includes(choice) ? intervals : during);
  return mean(day.kw.filter((kw, index) => labels.has(intervals[index]) && isKnown(kw)));
};

// Step 1: the days of the pool that count in an interval.
const pickedDays = (choice, label) => {
  const { event_day_type: type, pool, intervals, distances, reason = null } = choice;
  // A day without a baseline.
  if (isKnown(reason)) return [];
  const { pick } = method.rules.find((rule) => rule.pool.day_types.includes(type));
  if (pick.kind === "all") return pool;
  if (pick.kind === "match")
    return distances.slice(0, pick.count).map(({ date }) => pool.find((day) => day.date === date));
  const score = {
    event_mean: (day) => eventMean(choice, day),
    daily_energy: (day) => day.energy_kwh,
    per_interval: (day) => day.kw[intervals.indexOf(label)],
  }[pick.rank_by];
  const ranked = pool.filter((day) => isKnown(score(day))).sort((a, b) => score(b) - score(a));
  return pick.kind === "high"
    ? ranked.slice(0, pick.count)
    : ranked.slice(pick.drop_highest, ranked.length - pick.drop_lowest);
};

// Step 2: their average.
const averageAt = (choice, label) => {
  const picked = pickedDays(choice, label).toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const kw = picked.map((day) => day.kw[choice.intervals.indexOf(label)]).filter(isKnown);
  if (method.average.kind === "mean") return mean(kw);
  const { alpha, seed_days: seed = 10 } = method.average;
  return kw.slice(seed).reduce((before, each) => alpha * each + (1 - alpha) * before, mean(kw.slice(0, seed)));
};
const unadjustedAt = (atMs) => {
  const { date, label } = intervalAt(atMs);
  const own = choices.find((choice) => choice.event_date === date);
  // Results of before `other_days`: those before and after the dispatch have the pool of its first or last day.
  return averageAt(own ?? choices.findLast((choice) => choice.event_date <= date) ?? choices[0], label);
};

// Step 3: the adjustment, from the window's load.
const adjustment = () => {
  if (!days?.adjustment) return (kw) => kw;
  const { kind, intervals, not_applied: notApplied } = days.adjustment;
  const compared = intervals
    .map(({ start, actual_kw: kw }) => [kw, unadjustedAt(ms(start))])
    .filter(([kw, base]) => isKnown(kw) && !Number.isNaN(base));
  const [actual, baseline] = [mean(compared.map(([kw]) => kw)), mean(compared.map(([, kw]) => kw))];
  const raw = kind === "additive" ? actual - baseline : actual / baseline;
  const { lowest, highest } = method.adjust;
  const applied = Math.min(Math.max(raw, lowest ?? -Infinity), highest ?? Infinity);
  if (notApplied !== null) return (kw) => kw;
  return kind === "additive" ? (kw) => kw + applied : (kw) => kw * applied;
};

// Step 4: the baseline in each 30 seconds; below zero only where the method allows it.
const baselines = () => {
  if (explanation.kind === "flat") return () => explanation.kw;
  if (explanation.kind === "firm_service_level") return () => explanation.reference_kw ?? NaN;
  if (explanation.kind === "meter_before") return () => mean(explanation.kw.filter(isKnown));
  const adjust = adjustment();
  return (atMs) => Math.max(method.allow_negative ? -Infinity : 0, adjust(unadjustedAt(atMs)));
};
const baselineAt = result.site.baseline === "none" ? () => NaN : baselines();

// Step 5: the reduction in the cells of the dispatch that have both, and what follows from it.
const cells = result.curve.map((cell) => ({ ...cell, baseline: baselineAt(ms(cell.timestamp) - 30_000) }));
const reductions = cells
  .filter((cell) => isMeasured(cell) && isKnown(cell.load_kw))
  .map(({ baseline, load_kw: kw }) => baseline - kw)
  .filter((kw) => !Number.isNaN(kw));
const reduction = reductions.length === 0 ? null : mean(reductions);
const commitment = result.site.commitment_kw;
const computed = {
  mean_reduction_kw: reduction,
  performance: reduction === null || !commitment || result.state === "cancelled" ? null : reduction / commitment,
  delivered_energy_kwh: reduction === null ? null : (reduction * reductions.length) / 120,
};

const differs = (one, other) =>
  isKnown(one) && isKnown(other) ? !(Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other))) : one !== other;
const wrong = cells.filter(({ baseline, baseline_kw: kw }) => differs(Number.isNaN(baseline) ? null : baseline, kw));
const wrongNumbers = Object.entries(computed).filter(([name, value]) => differs(value, result.site[name]));
stdout.write(
  `${JSON.stringify({ ...computed, cells: cells.length, differing_cells: wrong.length, differing: wrongNumbers })}\n`,
);
exit(wrong.length + wrongNumbers.length === 0 ? 0 : 1);
