import type { SitePerformance } from "@curtail/contract";
import { type MetricGroup, metricGroups } from "./performance-metric.js";

/** Performance figures of a site, each with an explanation. */
export const PerformanceMetrics = ({
  site,
  isJudged,
}: {
  readonly site: SitePerformance;
  readonly isJudged: boolean;
}) => (
  <div className="grid gap-x-8 gap-y-5 md:grid-cols-2 2xl:grid-cols-3">
    {metricGroups(site, isJudged).map((group) => (
      <Group key={group.title} group={group} />
    ))}
  </div>
);

const Group = ({ group: { title, metrics } }: { readonly group: MetricGroup }) => (
  <section className="min-w-0">
    <h3 className="mb-1 text-sm font-semibold">{title}</h3>
    <dl className="divide-y divide-line">
      {metrics.map(({ name, value, meaning }) => (
        <div key={name} className="grid grid-cols-[1fr_auto] gap-x-4 py-1.5">
          <dt className="min-w-0">
            {name}
            <span className="block text-sm text-muted">{meaning}</span>
          </dt>
          <dd className="text-right font-medium whitespace-nowrap">{value}</dd>
        </div>
      ))}
    </dl>
  </section>
);
