import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { percent, power } from "../../../format/quantity.js";
import { countdown, dayAndClock } from "../../../format/time.js";
import { LiveMark } from "../../../live/live-mark.js";
import { useOperatorPerformance } from "../../../live/use-performance.js";
import { MeasuredSoFar } from "../../../parts/measured-so-far.js";
import { ShareBar } from "../../../parts/share-bar.js";
import { StatusCounts } from "../../../parts/status-badge.js";
import { deliveredShare } from "../../../rules/delivered-share.js";
import { countStatuses } from "../../../rules/status.js";
import { Badge } from "../../../ui/badge.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { useNow } from "../../../ui/use-now.js";
import { WallCurve } from "./wall-curve.js";

/** One dispatch in progress: what it delivers of what was committed, and its curve. */
export const WallDispatch = ({
  dispatch,
  alarms,
}: {
  readonly dispatch: operator.DispatchOverview;
  readonly alarms: number;
}) => {
  const { performance, preparing, state } = useOperatorPerformance(dispatch.id);
  const zone = usePageZone();
  const delivered = performance?.totals.now.reduction_kw ?? dispatch.delivered_kw;
  const committed = performance?.totals.commitment_kw ?? dispatch.commitment_kw;
  const statuses = performance === null ? dispatch.sites_by_status : countStatuses(performance.sites);
  const share = deliveredShare(delivered, committed);
  return (
    <div className="grid min-h-0 flex-1 content-start gap-4 wall:gap-6">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold wall:text-5xl">
            {dispatch.program_name} {dispatch.test && <Badge tone="warn">{say("test")}</Badge>}
            {state !== "live" && <LiveMark state={state} />}
          </h1>
          <p className="text-muted wall:text-2xl">
            {say("since {time} ({zone})", { time: dayAndClock(dispatch.start_time, zone), zone })}
          </p>
        </div>
        <Remaining end={dispatch.end_time} />
      </div>
      <p className="flex flex-wrap items-baseline gap-x-5">
        {sayParts("<strong>{delivered}</strong> <small>delivered now of {committed} committed{share}</small>", {
          delivered: power(delivered),
          committed: power(committed),
          share: share === null ? "" : `, ${percent(share)}`,
          strong: (inside) => (
            <strong className="text-6xl font-semibold tracking-tight sm:text-8xl wall:text-[9.5rem] wall:leading-none">
              {inside}
            </strong>
          ),
          small: (inside) => <span className="text-xl text-muted wall:text-5xl">{inside}</span>,
        })}
      </p>
      <ShareBar share={share} limits={dispatch.status_limits} className="h-4 wall:h-8" />
      {preparing !== null && (
        <div className="wall:[zoom:1.8]">
          <MeasuredSoFar of={preparing} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {statuses !== null && (
          <div className="wall:[zoom:1.8]">
            <StatusCounts counts={statuses} isLive />
          </div>
        )}
        <span className={`text-lg wall:text-3xl ${alarms > 0 ? "font-medium text-bad" : "text-muted"}`}>
          {say("{n, plural, =0 {No open alarms} one {# open alarm} other {# open alarms}}", { n: alarms })}
        </span>
      </div>
      <WallCurve id={dispatch.id} timeZone={zone} committedKw={committed} />
    </div>
  );
};

const Remaining = ({ end }: { readonly end: string | null }) => {
  const now = useNow();
  return (
    <div className="text-muted sm:text-right wall:text-2xl">
      {end === null
        ? say("no end set yet")
        : sayParts("ends in {left}", {
            left: <span className="block text-4xl font-semibold text-ink wall:text-7xl">{countdown(end, now)}</span>,
          })}
    </div>
  );
};
