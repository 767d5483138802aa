import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { clock } from "../../../format/time.js";
import { STATUS_PERIOD } from "../../../parts/status-badge.js";
import { whyNothing } from "../../../rules/judged.js";
import { momentOf } from "../../../rules/replay.js";
import type { Dispatch } from "./dispatch.js";
import type { ShownResult } from "./shown-result.js";
import { SiteDrawer } from "./site-drawer.js";
import { SiteTable } from "./site-table.js";
import { useSiteList } from "./use-site-list.js";
import type { DispatchView } from "./use-view.js";

const route = getRouteApi("/operations/dispatches/$id");

/** The sites of a dispatch; the sheet of one if the address names it. */
export const SitesTab = ({
  dispatch,
  result,
  version,
  view,
  isReplay,
}: {
  readonly dispatch: Dispatch;
  readonly result: ShownResult;
  readonly version: number | undefined;
  readonly view: DispatchView;
  readonly isReplay: boolean;
}) => {
  const { site, at } = route.useSearch();
  const { performance, stream } = result;
  const groups = useMemo(
    () => new Map(dispatch.sites.map(({ id, dispatch_group }) => [id, dispatch_group])),
    [dispatch.sites],
  );
  const list = useSiteList(view.rows, { judges: view.isJudged, groups });
  if (performance === null) return <Skeleton />;
  if (whyNothing(performance) !== null) return null;
  const isLive = performance.state === "in_progress" || performance.state === "upcoming";
  const moment = momentOf(at);
  const stateHead =
    isReplay && moment !== null
      ? say("State at {time}", { time: clock(new Date(moment), dispatch.program.timezone) })
      : isLive
        ? say("State, {period}", { period: STATUS_PERIOD })
        : say("State");
  return (
    <>
      {site !== undefined && !isReplay && (
        <SiteDrawer dispatch={dispatch} siteId={site} version={version} list={list} stream={stream} />
      )}
      <SiteTable
        rows={view.rows}
        of={dispatch.sites.length}
        list={list}
        chosen={site ?? null}
        stateHead={stateHead}
        isReplay={isReplay}
      />
    </>
  );
};

/** Rows at their final height, before the first figures. */
const Skeleton = () => (
  <div role="status" aria-label={say("Loading the sites")} className="rounded-xl bg-surface px-4 py-3 ring-1 ring-line">
    {Array.from({ length: 8 }, (_, row) => (
      <div key={row} className="flex h-[33px] items-center gap-6 border-b border-line last:border-0">
        <span className="h-3 w-40 rounded bg-sunken" />
        <span className="h-3 w-28 rounded bg-sunken" />
        <span className="ml-auto h-3 w-16 rounded bg-sunken" />
      </div>
    ))}
  </div>
);
