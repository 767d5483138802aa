import { type Query, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { OPERATOR } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useOperator } from "../../../api/use-call.js";
import type { StreamState } from "../../../live/event-stream.js";
import { LiveMark } from "../../../live/live-mark.js";
import { useAtMostEvery } from "../../../live/use-at-most.js";
import { type OperatorPerformance, type Preparing, useOperatorPerformance } from "../../../live/use-performance.js";
import { STANDING_EVERY_MS, useStanding } from "../../../live/use-standing.js";
import { MeasuredSoFar } from "../../../parts/measured-so-far.js";
import { Difference } from "../../../parts/performance-difference.js";
import { PerformanceTotals } from "../../../parts/performance-totals.js";
import { PerformanceVersions } from "../../../parts/performance-versions.js";
import { TableDownload } from "../../../parts/table-download.js";
import { whyNothing } from "../../../rules/judged.js";
import { mayWrite } from "../../../rules/role.js";
import { mayBeFinal } from "../../../rules/standing.js";
import { Card, Stack } from "../../../ui/card.js";
import { Answered, Waiting } from "../../../ui/state.js";
import { ApproveResult } from "./approve-result.js";
import type { Dispatch } from "./dispatch.js";
import { PortfolioChart } from "./portfolio-chart.js";
import { SiteDrawer } from "./site-drawer.js";
import { SiteTable } from "./site-table.js";
import { useSiteList } from "./use-site-list.js";

const route = getRouteApi("/operations/dispatches/$id");

/** Shortest time between updates of the curves. With 1,000 sites the figures change every second. */
const CURVES_EVERY_MS = 3000;

/** Performance: live, the final result that applies, or a version of it. */
export const PerformanceTab = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { version } = route.useSearch();
  const [openedAt] = useState(() => new Date());
  if (version !== undefined) return <KeptResult dispatch={dispatch} version={version} />;
  return mayBeFinal(dispatch, openedAt) ? <StandingResult dispatch={dispatch} /> : <LiveResult dispatch={dispatch} />;
};

/** The result of a dispatch that is over is read once, without a stream; now and then it is asked for a newer version. */
const StandingResult = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const input = { params: { id: dispatch.id }, query: {} };
  const asked = useOperator("/dispatches/{id}/performance", input, { everyMs: STANDING_EVERY_MS });
  const standing = useStanding(OPERATOR, asked);
  if (standing.state === "asked") return <Waiting />;
  if (standing.state === "not_final") return <LiveResult dispatch={dispatch} />;
  return <Result dispatch={dispatch} performance={standing.performance} />;
};

const VersionDifference = ({ id, to }: { readonly id: string; readonly to: number }) => (
  <Answered of={useOperator("/dispatches/{id}/performance/difference", { params: { id }, query: { to } })}>
    {(difference) => <Difference difference={difference} />}
  </Answered>
);

const LiveResult = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { performance, preparing, state } = useOperatorPerformance(dispatch.id);
  const queries = useQueryClient();
  useAtMostEvery(
    CURVES_EVERY_MS,
    preparing === null ? performance : null,
    () => void queries.invalidateQueries({ predicate: isOfPerformance }),
  );
  useRepeatedWhenPrepared(preparing !== null);
  if (performance === null)
    return (
      <>
        <LiveMark state={state} />
        <Waiting />
      </>
    );
  return (
    <>
      {state !== "live" && (
        <div className="mb-2">
          <LiveMark state={state} />
        </div>
      )}
      <Result dispatch={dispatch} performance={performance} preparing={preparing} stream={state} />
    </>
  );
};

const isOfPerformance = ({ queryKey: [base, path] }: Query): boolean =>
  base === OPERATOR && String(path).includes("/performance");

/** A request that was asked to retry later is sent again at once, when all sites are measured. */
const useRepeatedWhenPrepared = (isPreparing: boolean): void => {
  const queries = useQueryClient();
  const was = useRef(isPreparing);
  useEffect(() => {
    const isDone = was.current && !isPreparing;
    was.current = isPreparing;
    if (!isDone) return;
    const waiting = { predicate: (query: Query) => isOfPerformance(query) && query.state.data === undefined };
    void queries.cancelQueries(waiting).then(() => queries.refetchQueries(waiting));
  }, [isPreparing, queries]);
};

const KeptResult = ({ dispatch, version }: { readonly dispatch: Dispatch; readonly version: number }) => (
  <Answered of={useOperator("/dispatches/{id}/performance", { params: { id: dispatch.id }, query: { version } })}>
    {(performance) => <Result dispatch={dispatch} performance={performance} version={version} />}
  </Answered>
);

const Result = ({
  dispatch,
  performance,
  version,
  preparing = null,
  stream = "live",
}: {
  readonly dispatch: Dispatch;
  readonly performance: OperatorPerformance;
  readonly preparing?: Preparing | null;
  readonly version?: number;
  readonly stream?: StreamState;
}) => {
  const { site } = route.useSearch();
  const writes = mayWrite(useUser());
  const timeZone = dispatch.program.timezone;
  const shown = { id: dispatch.id, timeZone, ...(version === undefined ? {} : { version }) };
  const groups = useMemo(
    () => new Map(dispatch.sites.map(({ id, dispatch_group }) => [id, dispatch_group])),
    [dispatch.sites],
  );
  const list = useSiteList(performance.sites, performance.state, groups);
  const versions = (
    <Card
      title="About these results"
      actions={writes && version === undefined && <ApproveResult result={performance} />}
    >
      <PerformanceVersions
        performance={performance}
        timeZone={timeZone}
        page="/operations/dispatches/$id"
        difference={(to) => <VersionDifference id={dispatch.id} to={to} />}
      />
    </Card>
  );
  if (whyNothing(performance) !== null) return versions;
  return (
    <Stack>
      {preparing !== null && <MeasuredSoFar of={preparing} />}
      {performance.state !== "upcoming" && (
        <PerformanceTotals totals={performance.totals} state={performance.state} limits={performance.status_limits} />
      )}
      <PortfolioChart
        {...shown}
        committedKw={performance.totals.commitment_kw}
        soFar={preparing?.curve === undefined ? null : { ...performance, curve: preparing.curve }}
      />
      {site !== undefined && (
        <SiteDrawer dispatch={dispatch} siteId={site} version={version} list={list} stream={stream} />
      )}
      <SiteTable sites={performance.sites} of={dispatch.sites.length} list={list} chosen={site ?? null} />
      {performance.state !== "upcoming" && (
        <TableDownload base={OPERATOR} dispatchId={dispatch.id} version={version} hasSites />
      )}
      {versions}
    </Stack>
  );
};
