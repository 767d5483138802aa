import type { SitePerformanceDetail } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { localDay } from "../format/local-time.js";
import { isJudged } from "../rules/judged.js";
import { readingWords } from "../rules/reading-quality.js";
import { Download } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { PerformanceChart } from "./performance-chart.js";
import { BaselineExplanation } from "./performance-explanation.js";
import { PerformanceMetrics } from "./performance-metrics.js";
import { StatusBadge } from "./status-badge.js";

/** One site of a dispatch: curves, figures, and how its baseline was computed. */
export const SitePerformanceCards = ({
  detail,
  timeZone,
  csvHref,
}: {
  readonly detail: SitePerformanceDetail;
  readonly timeZone: string;
  /** Address of the curve as CSV. */
  readonly csvHref: string;
}) => {
  const { site } = detail;
  return (
    <>
      <Card
        flush
        title={
          <span className="flex flex-wrap items-center gap-2">
            {site.name}{" "}
            {isJudged(detail.state) && <StatusBadge status={site.status} isLive={detail.state === "in_progress"} />}
          </span>
        }
        actions={
          <Download href={csvHref} name={`${site.name} ${localDay(new Date(detail.start_time), timeZone)}.csv`}>
            {say("Download curve (CSV)")}
          </Download>
        }
      >
        <p className="px-4 pb-1 text-sm text-muted">
          {say("Times are in {zone}.", { zone: timeZone })} {readingWords(detail)}
        </p>
        <PerformanceChart detail={detail} timeZone={timeZone} siteName={site.name} />
      </Card>
      <Card title={say("Measured")}>
        <PerformanceMetrics site={site} isJudged={isJudged(detail.state)} />
      </Card>
      <Card title={say("How the baseline was calculated")}>
        <BaselineExplanation detail={detail} timeZone={timeZone} />
      </Card>
    </>
  );
};
