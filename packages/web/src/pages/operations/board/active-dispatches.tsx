import type { operator } from "@curtail/contract";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { useOperator } from "../../../api/use-call.js";
import { counted, percent, power } from "../../../format/quantity.js";
import { countdown } from "../../../format/time.js";
import { LiveMark } from "../../../live/live-mark.js";
import { useOperatorPerformance } from "../../../live/use-performance.js";
import { ShareBar } from "../../../parts/share-bar.js";
import { StatusCounts } from "../../../parts/status-badge.js";
import { deliveredShare } from "../../../rules/delivered-share.js";
import { countStatuses } from "../../../rules/status.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { DayAndClock, usePageZone } from "../../../ui/page-zone.js";
import { Empty } from "../../../ui/state.js";
import { useNow } from "../../../ui/use-now.js";
import { DispatchAttention } from "./attention.js";

/** Live streams, of the six connections that a browser has to a host; the overview has the figures of the others. */
const FOLLOWED = 2;
const ATTENTION_MS = 10_000;
/** How often the curves are drawn again: of those that are followed, and of the others. */
const [FOLLOWED_CURVE_MS, OTHER_CURVE_MS] = [15_000, 60_000] as const;

const DeliveryCurve = lazy(async () => ({ default: (await import("./delivery-curve.js")).DeliveryCurve }));

/** Dispatches in progress, readable from across a room. */
export const ActiveDispatches = ({ dispatches }: { readonly dispatches: readonly operator.DispatchOverview[] }) => {
  if (dispatches.length === 0)
    return (
      <Card title="In progress">
        <Empty>No dispatches in progress.</Empty>
      </Card>
    );
  return (
    <div className={`grid gap-4 ${dispatches.length > 1 ? "xl:grid-cols-2" : ""}`}>
      {dispatches.map((dispatch, index) =>
        index < FOLLOWED ? (
          <Followed key={dispatch.id} dispatch={dispatch} />
        ) : (
          <ActiveDispatch key={dispatch.id} dispatch={dispatch} curveMs={OTHER_CURVE_MS} />
        ),
      )}
    </div>
  );
};

const Followed = ({ dispatch }: { readonly dispatch: operator.DispatchOverview }) => {
  const { performance, state } = useOperatorPerformance(dispatch.id);
  if (performance === null) return <ActiveDispatch dispatch={dispatch} curveMs={FOLLOWED_CURVE_MS} />;
  const { totals, sites } = performance;
  const live = {
    ...dispatch,
    commitment_kw: totals.commitment_kw,
    delivered_kw: totals.now.reduction_kw,
    sites_by_status: countStatuses(sites),
  };
  const mark = state !== "live" && <LiveMark state={state} />;
  return <ActiveDispatch dispatch={live} measured={totals.now.sites} mark={mark} curveMs={FOLLOWED_CURVE_MS} />;
};

const ActiveDispatch = ({
  dispatch,
  measured,
  mark,
  curveMs,
}: {
  readonly dispatch: operator.DispatchOverview;
  /** Number of sites that the figure covers, if known. */
  readonly measured?: number;
  readonly mark?: ReactNode;
  readonly curveMs: number;
}) => {
  const { delivered_kw, commitment_kw, sites_by_status } = dispatch;
  const done = deliveredShare(delivered_kw, commitment_kw);
  const of = measured === undefined ? "" : `${measured} of `;
  return (
    <section className="@container min-w-0 rounded-xl bg-surface p-4 ring-1 ring-line sm:p-5 wall:p-7">
      <div className="grid gap-4 @4xl:grid-cols-2 @4xl:gap-6">
        <div className="min-w-0">
          <Head dispatch={dispatch} mark={mark} />
          <p className="mt-3 flex flex-wrap items-baseline gap-x-3">
            <span className="sr-only">Delivered</span>
            <strong className="text-5xl font-semibold tracking-tight sm:text-6xl wall:text-8xl">
              {power(delivered_kw)}
            </strong>
            <span className="text-lg text-muted wall:text-3xl">of {power(commitment_kw)} committed</span>
          </p>
          <ShareBar share={done} limits={dispatch.status_limits} className="mt-3 h-3 wall:h-5" />
          <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span className="text-muted wall:text-xl">
              {done === null ? "Not measured yet" : `${percent(done)} delivered now`} · {of}
              {counted(dispatch.sites, "site")}
              {measured !== undefined && " measured"}
            </span>
            {sites_by_status !== null && (
              <div className="wall:[zoom:1.5]">
                <StatusCounts counts={sites_by_status} isLive />
              </div>
            )}
          </div>
          <Curve dispatch={dispatch} everyMs={curveMs} />
        </div>
        <Attention id={dispatch.id} />
      </div>
    </section>
  );
};

const Curve = ({
  dispatch: { id, commitment_kw },
  everyMs,
}: {
  readonly dispatch: operator.DispatchOverview;
  readonly everyMs: number;
}) => {
  const timeZone = usePageZone();
  return (
    <div className="-mx-4 mt-3 min-h-56 sm:-mx-5 @4xl:mr-0">
      <Suspense>
        <DeliveryCurve id={id} timeZone={timeZone} committedKw={commitment_kw} everyMs={everyMs} />
      </Suspense>
    </div>
  );
};

const Attention = ({ id }: { readonly id: string }) => {
  const { data } = useOperator("/dispatches/{id}/attention", { params: { id } }, { everyMs: ATTENTION_MS });
  return data === undefined ? null : <DispatchAttention dispatchId={id} attention={data} />;
};

const Head = ({ dispatch, mark }: { readonly dispatch: operator.DispatchOverview; readonly mark: ReactNode }) => (
  <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
    <div className="min-w-0">
      <h2 className="text-lg font-semibold wall:text-2xl">
        <Link to="/operations/dispatches/$id" params={{ id: dispatch.id }} className="hover:underline">
          {dispatch.program_name}
        </Link>{" "}
        <span className="inline-flex gap-1.5 align-middle">
          <Badge tone="accent">in progress</Badge>
          {dispatch.test && <Badge tone="warn">test</Badge>}
          {mark}
        </span>
      </h2>
      <Since dispatch={dispatch} />
    </div>
    <Remaining end={dispatch.end_time} />
  </header>
);

const Since = ({ dispatch: { start_time } }: { readonly dispatch: operator.DispatchOverview }) => (
  <div className="text-sm text-muted wall:text-lg">
    since <DayAndClock at={start_time} />
  </div>
);

const Remaining = ({ end }: { readonly end: string | null }) => {
  const now = useNow();
  return (
    <div className="text-muted sm:text-right wall:text-xl">
      {end === null ? (
        "no end set yet"
      ) : (
        <>
          ends in <span className="block text-2xl font-semibold text-ink wall:text-5xl">{countdown(end, now)}</span>
        </>
      )}
    </div>
  );
};
