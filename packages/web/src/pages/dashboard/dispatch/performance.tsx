import { requestPath } from "@curtail/client";
import type { Dispatch, DispatchPerformance } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { CONSOLE } from "../../../api/call.js";
import { useConsole } from "../../../api/use-call.js";
import { LiveMark } from "../../../live/live-mark.js";
import { useAtMostEvery } from "../../../live/use-at-most.js";
import { useOwnPerformance } from "../../../live/use-performance.js";
import { STANDING_EVERY_MS, useStanding } from "../../../live/use-standing.js";
import { MeasuredSoFar } from "../../../parts/measured-so-far.js";
import { SitePerformanceCards } from "../../../parts/performance-detail.js";
import { Difference } from "../../../parts/performance-difference.js";
import { PerformanceSites } from "../../../parts/performance-sites.js";
import { PerformanceTotals } from "../../../parts/performance-totals.js";
import { PerformanceVersions } from "../../../parts/performance-versions.js";
import { StatusCounts } from "../../../parts/status-badge.js";
import { TableDownload } from "../../../parts/table-download.js";
import { isJudged, whyNothing } from "../../../rules/judged.js";
import { mayBeFinal } from "../../../rules/standing.js";
import { countStatuses } from "../../../rules/status.js";
import { Card, Stack } from "../../../ui/card.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { Answered, Empty, Waiting } from "../../../ui/state.js";
import { AccountCurveCard } from "./account-curve.js";

const route = getRouteApi("/dashboard/dispatches/$id");
const CURVE_EVERY_MS = 3000;

/** Performance: live, the final result that applies, or a version of it. */
export const DispatchPerformanceTab = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { version } = route.useSearch();
  const [openedAt] = useState(() => new Date());
  if (version !== undefined) return <EarlierResult dispatch={dispatch} version={version} />;
  return mayBeFinal(dispatch, openedAt) ? <StandingResult dispatch={dispatch} /> : <LiveResult dispatch={dispatch} />;
};

/** The result of a dispatch that is over is read once, without a stream; now and then it is asked for a newer version. */
const StandingResult = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const input = { params: { id: dispatch.id }, query: {} };
  const asked = useConsole("/dispatches/{id}/performance", input, { everyMs: STANDING_EVERY_MS });
  const standing = useStanding(CONSOLE, asked);
  if (standing.state === "asked") return <Waiting />;
  if (standing.state === "not_final") return <LiveResult dispatch={dispatch} />;
  return <Result dispatch={dispatch} performance={standing.performance} />;
};

const VersionDifference = ({ id, to }: { readonly id: string; readonly to: number }) => (
  <Answered of={useConsole("/dispatches/{id}/performance/difference", { params: { id }, query: { to } })}>
    {(difference) => <Difference difference={difference} />}
  </Answered>
);

const LiveResult = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { performance, preparing, state } = useOwnPerformance(dispatch.id);
  return (
    <>
      {state !== "live" && state !== "connecting" && (
        <div className="mb-3">
          <LiveMark state={state} />
        </div>
      )}
      {preparing !== null && (
        <div className="mb-3">
          <MeasuredSoFar of={preparing} />
        </div>
      )}
      {performance === null ? <Waiting /> : <Result dispatch={dispatch} performance={performance} />}
    </>
  );
};

const EarlierResult = ({ dispatch, version }: { readonly dispatch: Dispatch; readonly version: number }) => (
  <Answered of={useConsole("/dispatches/{id}/performance", { params: { id: dispatch.id }, query: { version } })}>
    {(performance) => <Result dispatch={dispatch} performance={performance} />}
  </Answered>
);

interface Shown {
  readonly dispatch: Dispatch;
  readonly performance: DispatchPerformance;
}

const Result = ({ dispatch, performance }: Shown) => {
  const { site, version } = route.useSearch();
  const navigate = route.useNavigate();
  const { sites, state } = performance;
  const timeZone = usePageZone();
  const chosen = sites.find(({ site_id }) => site_id === site)?.site_id ?? sites[0]?.site_id ?? null;
  const nothing = whyNothing(performance);
  const versions = (
    <PerformanceVersions
      performance={performance}
      timeZone={timeZone}
      page="/dashboard/dispatches/$id"
      difference={(to) => <VersionDifference id={dispatch.id} to={to} />}
    />
  );
  if (nothing !== null) return performance.versions.length > 0 ? versions : <Empty>{nothing}</Empty>;
  return (
    <Stack>
      {state !== "upcoming" && (
        <PerformanceTotals totals={performance.totals} state={state} limits={performance.status_limits} />
      )}
      {versions}
      {sites.length > 1 && (
        <AccountCurveCard id={dispatch.id} timeZone={timeZone} version={version} measured={performance.as_of} />
      )}
      <Card
        title={say("Your sites")}
        flush
        actions={
          state !== "upcoming" &&
          isJudged(state) && <StatusCounts counts={countStatuses(sites)} isLive={state === "in_progress"} />
        }
      >
        <PerformanceSites
          sites={sites}
          chosen={chosen}
          isJudged={isJudged(state)}
          isLive={state === "in_progress"}
          onChoose={(next) =>
            void navigate({ search: (before) => ({ ...before, site: next }), replace: true, resetScroll: false })
          }
        />
      </Card>
      {state !== "upcoming" && <TableDownload base={CONSOLE} dispatchId={dispatch.id} version={version} />}
      {chosen !== null && <ChosenSite dispatch={dispatch} performance={performance} siteId={chosen} />}
    </Stack>
  );
};

const ChosenSite = ({ dispatch, performance, siteId }: Shown & { readonly siteId: string }) => {
  const { version } = route.useSearch();
  const params = { id: dispatch.id, site_id: siteId };
  const timeZone = usePageZone();
  const query = version === undefined ? {} : { version };
  const asked = useConsole("/dispatches/{id}/sites/{site_id}/performance", { params, query });
  const measured = performance.sites.find(({ site_id }) => site_id === siteId);
  useAtMostEvery(CURVE_EVERY_MS, measured, () => void asked.refetch());
  const csv = requestPath("/dispatches/{id}/sites/{site_id}/performance", {
    params,
    query: { ...query, format: "csv" },
  });
  return (
    <Answered of={asked}>
      {(detail) => <SitePerformanceCards detail={detail} timeZone={timeZone} csvHref={CONSOLE + csv} />}
    </Answered>
  );
};
