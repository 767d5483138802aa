import type { SitePerformanceDetail } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type ReactNode, useMemo } from "react";
import { useOperator } from "../../../api/use-call.js";
import type { Curve } from "../../../chart/curve.js";
import { PowerChart } from "../../../chart/power-chart.js";
import { power } from "../../../format/quantity.js";
import { type FirstDispatch, shownAround, timeLeft } from "../../../rules/first-test.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { useNow } from "../../../ui/use-now.js";
import type { FirstTest } from "./use-first-test.js";

/** Its readings come every 30 seconds. */
const EVERY_MS = 10_000;
const HEIGHT_PX = 320;

/** What the steps lead to: an empty frame at first, then the load, then the curve of the test. */
export const FirstCurve = ({ test, children }: { readonly test: FirstTest; readonly children: ReactNode }) => {
  const { site, latest } = test;
  const id = site.state === "on" ? site.site_id : null;
  return (
    <Card flush title={<Title test={test} />} actions={<TimeLeft test={test} />}>
      {id === null ? (
        <EmptyFrame />
      ) : latest === null ? (
        <LoadSoFar siteId={id} />
      ) : (
        <OfTest dispatch={latest} siteId={id} isLive={test.phase !== "ended"} />
      )}
      <div className="grid gap-2 border-t border-line px-4 py-3 text-sm">
        <p>
          {sayParts(
            "<strong>How to read it.</strong> The dashed line is the load of a usual day: the baseline. The solid line is the load. The area between them is what the site delivers.",
            { strong: (inside) => <strong className="font-semibold">{inside}</strong> },
          )}
        </p>
        {children}
      </div>
    </Card>
  );
};

const Title = ({ test: { site, latest, phase } }: { readonly test: FirstTest }) => (
  <span className="flex flex-wrap items-center gap-2">
    {latest !== null && (phase === "running" || phase === "ended") ? (
      <Delivered
        dispatch={latest}
        siteId={site.site_id ?? ""}
        isLive={phase === "running"}
        committedKw={site.commitment}
      />
    ) : (
      say("Your first curve")
    )}
    <Badge tone="info">{say("Simulated")}</Badge>
  </span>
);

const PATH = "/dispatches/{id}/sites/{site_id}/performance";

interface Measured {
  readonly dispatch: FirstDispatch;
  readonly siteId: string;
  readonly isLive: boolean;
}

const useMeasured = ({ dispatch, siteId, isLive }: Measured) =>
  useOperator(
    PATH,
    { params: { id: dispatch.id, site_id: siteId }, query: {} },
    { everyMs: isLive ? EVERY_MS : 60_000 },
  );

/** `It delivers 118 of 120 kW`: now, or on average once it is over. */
const Delivered = ({ committedKw, ...of }: Measured & { readonly committedKw: number }) => {
  const { data } = useMeasured(of);
  const kw = (of.isLive ? data?.site.latest?.reduction_kw : data?.site.mean_reduction_kw) ?? null;
  if (kw === null) return say("Your first curve");
  const figures = { kw: power(kw).replace(" kW", ""), committed: power(committedKw) };
  return of.isLive
    ? say("It delivers {kw} of {committed}", figures)
    : say("It delivered {kw} of {committed} on average", figures);
};

const TimeLeft = ({ test: { latest, phase } }: { readonly test: FirstTest }) => {
  const now = useNow();
  if (latest === null || latest.end_time === null) return null;
  const left = (to: string) => <b className="text-lg text-ink tabular-nums">{timeLeft(to, now)}</b>;
  if (phase === "announced") return <Left>{sayParts("test begins in {left}", { left: left(latest.start_time) })}</Left>;
  return phase === "running" ? <Left>{sayParts("test ends in {left}", { left: left(latest.end_time) })}</Left> : null;
};

const Left = ({ children }: { readonly children: ReactNode }) => <span className="text-muted">{children}</span>;

/** Before there is anything to draw: the place of the curve. */
const EmptyFrame = () => (
  <div
    style={{ height: HEIGHT_PX }}
    className="mx-4 mb-3 grid place-items-center rounded-lg border border-dashed border-line-strong text-center text-muted"
  >
    <p className="max-w-80 px-4">
      {say("The curve of your first test appears here: its load, its usual load, and what it delivers.")}
    </p>
  </div>
);

const LOAD_MS = 15 * 60_000;

const LoadSoFar = ({ siteId }: { readonly siteId: string }) => {
  const now = useNow();
  // From a full minute on, so that it is asked for again once a minute at most.
  const startMs = Math.floor((now.getTime() - LOAD_MS) / 60_000) * 60_000;
  const query = { start_time: new Date(startMs).toISOString(), points: 60 };
  const { data } = useOperator("/sites/{id}/energy", { params: { id: siteId }, query }, { keep: true });
  const zone = usePageZone();
  const timestamps = useMemo(() => {
    const from = data === undefined ? 0 : Date.parse(data.start_time) / 1000;
    return (data?.site.power_kw ?? []).map((_, index) => from + (index + 1) * (data?.interval_seconds ?? 0));
  }, [data]);
  const curves = useMemo(
    (): Curve[] => [{ label: say("Load"), colour: "chart-1", values: data?.site.power_kw ?? [] }],
    [data],
  );
  if (data === undefined) return <div style={{ height: HEIGHT_PX }} />;
  return (
    <PowerChart
      plain
      label={say("Load of the simulated site so far")}
      unit="kW"
      timeZone={zone}
      heightPx={HEIGHT_PX}
      timestamps={timestamps}
      curves={curves}
    />
  );
};

const OfTest = (of: Measured) => {
  const { data } = useMeasured(of);
  const zone = usePageZone();
  const { dispatch } = of;
  const cells = useMemo(() => (data === undefined ? [] : shownAround(data.curve, dispatch)), [data, dispatch]);
  const timestamps = useMemo(() => cells.map(({ timestamp }) => timestamp), [cells]);
  const curves = useMemo(() => curvesOf(cells), [cells]);
  if (cells.length === 0) return <div style={{ height: HEIGHT_PX }} />;
  return (
    <PowerChart
      plain
      label={say("Load of the simulated site around the test, and its baseline")}
      unit="kW"
      timeZone={zone}
      heightPx={HEIGHT_PX}
      timestamps={timestamps}
      curves={curves}
      band={[say("Baseline"), say("Load")]}
      marks={[
        { at: dispatch.start_time, label: say("start", {}, "of a dispatch") },
        ...(dispatch.end_time === null ? [] : [{ at: dispatch.end_time, label: say("end", {}, "of a dispatch") }]),
      ]}
    />
  );
};

type Cell = SitePerformanceDetail["curve"][number];

const curvesOf = (cells: readonly Cell[]): Curve[] => [
  { label: say("Load"), colour: "chart-1", values: cells.map(({ load_kw }) => load_kw) },
  { label: say("Baseline"), colour: "chart-2", dashed: true, values: cells.map(({ baseline_kw }) => baseline_kw) },
];
