import { type HrTime, ValueType } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import type * as SdkMetrics from "@opentelemetry/sdk-metrics";
import type { CollectionResult, DataPoint, MetricData, MetricProducer } from "@opentelemetry/sdk-metrics";

/** A metric with its numbers, as prom-client hands it out. */
export interface CollectedMetric {
  readonly name: string;
  readonly help: string;
  /** "counter", "gauge" or "histogram"; its types say a number. */
  readonly type: unknown;
  readonly values: readonly CollectedValue[];
}

interface CollectedValue {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  /** Of histograms: the name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string | undefined;
}

/** Enumerations of the package, which is loaded only where it is needed. */
export type MetricTypes = Pick<typeof SdkMetrics, "AggregationTemporality" | "DataPointType">;

/** The metrics of `GET /metrics` for OTLP, with the same names and labels. */
export const metricProducer = (
  collect: () => Promise<readonly CollectedMetric[]>,
  resource: Resource,
  types: MetricTypes,
): MetricProducer => ({
  async collect(): Promise<CollectionResult> {
    const endTime = timeOf(Date.now());
    const metrics = (await collect()).flatMap((metric) => metricData(metric, endTime, types) ?? []);
    return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: "curtail" }, metrics }] }, errors: [] };
  },
});

/** null: without numbers, or of a type that the service has none of. */
export const metricData = (
  { name, help, type, values }: CollectedMetric,
  endTime: HrTime,
  { AggregationTemporality, DataPointType }: MetricTypes,
): MetricData | null => {
  if (values.length === 0) return null;
  const descriptor = { name, description: help, unit: "", valueType: ValueType.DOUBLE };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (type === "histogram")
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(values, endTime) };
  const dataPoints = values.map(({ labels, value }) => point(labels, value, endTime));
  if (type === "counter") return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  return type === "gauge" ? { ...common, dataPointType: DataPointType.GAUGE, dataPoints } : null;
};

type Labels = CollectedValue["labels"];

const point = <T>(labels: Labels, value: T, endTime: HrTime): DataPoint<T> => ({
  startTime: timeOf(performance.timeOrigin),
  endTime,
  attributes: Object.fromEntries(Object.entries(labels).map(([name, each]) => [name, String(each)])),
  value,
});

interface Series {
  readonly labels: Labels;
  readonly boundaries: number[];
  /** Of each bucket with those before it. */
  readonly cumulated: number[];
  sum: number;
  count: number;
}

const histograms = (values: readonly CollectedValue[], endTime: HrTime) =>
  seriesOf(values).map(({ labels, boundaries, cumulated, sum, count }) => {
    const counts = [...cumulated, count].map((upTo, index, all) => upTo - (all[index - 1] ?? 0));
    return point(labels, { buckets: { boundaries, counts }, sum, count }, endTime);
  });

const seriesOf = (values: readonly CollectedValue[]): readonly Series[] => {
  const all = new Map<string, Series>();
  for (const { labels: given, value, metricName = "" } of values) {
    const { le, ...labels } = given;
    const key = JSON.stringify(labels);
    const series = all.get(key) ?? { labels, boundaries: [], cumulated: [], sum: 0, count: 0 };
    all.set(key, series);
    if (metricName.endsWith("_sum")) series.sum = value;
    else if (metricName.endsWith("_count")) series.count = value;
    else if (le !== undefined && le !== "+Inf") {
      series.boundaries.push(Number(le));
      series.cumulated.push(value);
    }
  }
  return [...all.values()];
};

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1_000_000)];
