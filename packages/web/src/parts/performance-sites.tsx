import type { SitePerformance } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { percent, power } from "../format/quantity.js";
import { worstFirst } from "../rules/status.js";
import { type Column, Table } from "../ui/table.js";
import { STATUS_PERIOD, StatusBadge } from "./status-badge.js";

/** The sites of a dispatch, worst status first; choosing one shows its curve on the page. */
export const PerformanceSites = <Site extends SitePerformance>({
  sites,
  chosen,
  onChoose,
  isJudged,
  isLive,
  more = [],
}: {
  readonly sites: readonly Site[];
  readonly chosen: string | null;
  readonly onChoose: (siteId: string) => void;
  readonly isJudged: boolean;
  /** Whether the dispatch is still running. */
  readonly isLive: boolean;
  /** Columns after the name. */
  readonly more?: readonly Column<Site>[];
}) => (
  <Table
    label={say("Sites of the dispatch")}
    rows={sites.toSorted(worstFirst)}
    keyOf={({ site_id }) => site_id}
    empty={say("No sites are measured yet.")}
    isCompact
    columns={[
      {
        head: say("Site"),
        cell: ({ site_id, name, status }) => (
          <>
            <button
              type="button"
              aria-pressed={site_id === chosen}
              onClick={() => onChoose(site_id)}
              className="min-h-6 text-left font-medium text-accent hover:underline aria-pressed:underline aria-pressed:decoration-2 aria-pressed:underline-offset-4"
            >
              {name}
            </button>
            {isJudged && (
              <div className="md:hidden">
                <StatusBadge status={status} />
                {isLive && <div className="text-xs text-muted">{STATUS_PERIOD}</div>}
              </div>
            )}
          </>
        ),
      },
      ...more,
      ...(isJudged ? judgingColumns(isLive) : deliveredColumns),
    ]}
  />
);

const deliveredColumns: readonly Column<SitePerformance>[] = [
  { head: say("Average delivered"), number: true, cell: ({ mean_reduction_kw }) => power(mean_reduction_kw) },
];

const judgingColumns = (isLive: boolean): readonly Column<SitePerformance>[] => [
  {
    head: isLive ? say("Status, {period}", { period: STATUS_PERIOD }) : say("Status"),
    wide: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { head: say("Load"), number: true, wide: "desk", cell: ({ latest }) => power(latest?.load_kw) },
  { head: say("Target"), number: true, wide: "desk", cell: ({ latest }) => power(latest?.target_kw) },
  {
    head: isLive ? say("Delivered now") : say("Delivered"),
    number: true,
    cell: ({ latest }) => power(latest?.reduction_kw),
  },
  { head: say("Last 5 min"), number: true, wide: "desk", cell: ({ recent }) => percent(recent?.performance) },
  { head: say("Average"), number: true, wide: true, cell: ({ mean_reduction_kw }) => power(mean_reduction_kw) },
  { head: say("Commitment"), number: true, wide: true, cell: ({ commitment_kw }) => power(commitment_kw) },
  { head: say("Average, % of commitment"), number: true, cell: ({ performance }) => percent(performance) },
  { head: say("Coverage"), number: true, wide: "desk", cell: ({ coverage }) => percent(coverage) },
];
