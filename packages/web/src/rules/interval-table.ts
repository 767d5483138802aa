/** An interval of a site in a dispatch; null: unknown. */
export interface SiteInterval {
  /** Unix milliseconds of its end. */
  readonly endMs: number;
  readonly loadKw: number | null;
  readonly baselineKw: number | null;
  readonly targetKw: number | null;
  readonly reductionKw: number | null;
  /** Seconds of it that the means are over. */
  readonly measuredSeconds: number;
}

/** Intervals by site, in order of time. */
export type IntervalTable = ReadonlyMap<string, readonly SiteInterval[]>;

const LENGTHS_SECONDS = [30, 300, 900, 1800, 3600] as const;
/** Enough for the shape of a small curve. */
const MOST_POINTS = 48;

/** The length of intervals at which a dispatch has at most some fifty. */
export const reportInterval = (durationMs: number): (typeof LENGTHS_SECONDS)[number] =>
  LENGTHS_SECONDS.find((seconds) => durationMs / 1000 / seconds <= MOST_POINTS) ?? 3600;

/** Reads the CSV of a dispatch's intervals: one row per line, fields with quotes where they need them. */
export const intervalTable = (csv: string): IntervalTable => {
  const [head = "", ...lines] = csv.split("\r\n");
  const names = fieldsOf(head);
  const at = (name: string) => names.indexOf(name);
  const [site, end] = [at("site_id"), at("timestamp")];
  const [seconds, coverage] = [at("seconds"), at("coverage")];
  const [load, baseline, target, reduction] = ["load_kw", "baseline_kw", "target_kw", "reduction_kw"].map(at);
  const table = new Map<string, SiteInterval[]>();
  for (const line of lines) {
    if (line === "") continue;
    const fields = fieldsOf(line);
    const siteId = fields[site] ?? "";
    const intervals = table.get(siteId) ?? [];
    table.set(siteId, intervals);
    intervals.push({
      endMs: Date.parse(fields[end] ?? ""),
      loadKw: numberOf(fields[load ?? -1]),
      baselineKw: numberOf(fields[baseline ?? -1]),
      targetKw: numberOf(fields[target ?? -1]),
      reductionKw: numberOf(fields[reduction ?? -1]),
      measuredSeconds: (numberOf(fields[seconds]) ?? 0) * (numberOf(fields[coverage]) ?? 0),
    });
  }
  return table;
};

const numberOf = (text: string | undefined): number | null => (text === undefined || text === "" ? null : Number(text));

/** A field is plain, or in quotes with each quote of its text doubled. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/gy;

const fieldsOf = (line: string): string[] => {
  const fields: string[] = [];
  for (const [, quoted, plain = "", next] of line.matchAll(FIELD)) {
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (next === "") break;
  }
  return fields;
};

type Summed = Omit<SiteInterval, "measuredSeconds">;

/** The mean of a site's baseline or load over the dispatch; null if nothing is known. */
export const meanOf = (intervals: readonly SiteInterval[], of: "baselineKw" | "loadKw"): number | null => {
  const known = intervals.filter((each) => each[of] !== null && each.measuredSeconds > 0);
  const seconds = known.reduce((sum, { measuredSeconds }) => sum + measuredSeconds, 0);
  return seconds === 0 ? null : known.reduce((sum, each) => sum + (each[of] ?? 0) * each.measuredSeconds, 0) / seconds;
};

/** Sums over the sites that have both load and baseline. A site without a target counts with its baseline. */
export const sumOfSites = (table: IntervalTable): Summed[] => {
  const sums = new Map<number, { loadKw: number; baselineKw: number; targetKw: number; reductionKw: number }>();
  for (const intervals of table.values())
    for (const { endMs, loadKw, baselineKw, targetKw, reductionKw } of intervals) {
      if (loadKw === null || baselineKw === null) continue;
      const sum = sums.get(endMs) ?? { loadKw: 0, baselineKw: 0, targetKw: 0, reductionKw: 0 };
      sums.set(endMs, sum);
      sum.loadKw += loadKw;
      sum.baselineKw += baselineKw;
      sum.targetKw += targetKw ?? baselineKw;
      sum.reductionKw += reductionKw ?? 0;
    }
  return [...sums].toSorted(([a], [b]) => a - b).map(([endMs, sum]) => ({ endMs, ...sum }));
};

/** Values of a vertical axis from 0 or below to the top: few and round. */
export const axisTicks = (lowest: number, highest: number): number[] => {
  const [low, high] = [Math.min(0, lowest), Math.max(highest, lowest, 1)];
  const rough = (high - low) / 3;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((each) => each * magnitude >= rough) ?? 10) * magnitude;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
};
