import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type ReactNode, useMemo, useState } from "react";
import { useOperator } from "../../../api/use-call.js";
import { type GapColour, type MenuItem, QUIET_LEFT_PX, QUIET_RIGHT_PX } from "../../../chart/curve.js";
import { Swatch } from "../../../chart/legend.js";
import { useZoomInAddress } from "../../../chart/use-zoom-in-address.js";
import { count } from "../../../format/quantity.js";
import { axisOf, lanesOf, replayable, shareOf, speeds } from "../../../rules/replay.js";
import { ActionMenu } from "../../../ui/action-menu.js";
import { Button } from "../../../ui/button.js";
import { Keys } from "../../../ui/keys.js";
import { Answered } from "../../../ui/state.js";
import { useNow } from "../../../ui/use-now.js";
import { DeliveredChart, type View } from "./delivered-chart.js";
import type { Dispatch } from "./dispatch.js";
import { TimeHandle, TimelineLanes } from "./lanes.js";
import type { ShownResult } from "./shown-result.js";
import type { Known } from "./use-known.js";
import type { Replay } from "./use-replay.js";

const HEIGHT_PX = 236;

interface Shown {
  readonly dispatch: Dispatch;
  readonly result: ShownResult;
  readonly version: number | undefined;
  readonly events: Known["events"];
  readonly replay: Replay;
  /** In the words of the headline; null: nothing is lacking. */
  readonly short: { readonly words: string; readonly colour: GapColour } | null;
}

/** The curve of a dispatch with what happened, over one time axis, whose handle is the moment that the page shows. */
export const CurveCard = ({ dispatch, result, version, events, replay, short }: Shown) => {
  const [view, setView] = useState<View>("delivered");
  const now = useNow();
  const timeZone = dispatch.program.timezone;
  const isReplay = replay.at !== null;
  const zoom = useZoomInAddress();
  const zoomed = zoom.range;
  const whole = axisOf(dispatch, now, isReplay);
  const axis = zoomed === null ? whole : { fromMs: zoomed.min * 1000, toMs: zoomed.max * 1000 };
  const atMs = Math.min(replay.at?.getTime() ?? now.getTime(), whole.toMs);
  const lanes = useLanes(events, axis);
  const other = view === "load" ? say("Delivered") : say("Load and baseline");
  const chart = (curve: operator.PortfolioCurve) => (
    <DeliveredChart
      curve={curve}
      view={view}
      timeZone={timeZone}
      committedKw={result.performance?.totals.commitment_kw ?? 0}
      heightPx={HEIGHT_PX}
      zoom={zoom}
      framed={{
        axis: stepped(whole),
        gap: short?.colour ?? "gap-warn",
        quiet: {
          head: (items) => (
            <Head
              replay={replay}
              items={[...items, { label: other, run: () => setView(view === "load" ? "delivered" : "load") }]}
              view={view}
              short={short}
            />
          ),
          over: <Marker share={shareOf(axis, atMs)} isReplay={isReplay} />,
        },
      }}
    />
  );
  const id = dispatch.id;
  const soFar = result.preparing?.curve;
  return (
    <section aria-label={say("Curve and timeline")} className="min-w-0 rounded-xl bg-surface ring-1 ring-line">
      {result.performance !== null && soFar !== undefined ? (
        chart({ ...result.performance, curve: soFar })
      ) : (
        <Whole id={id} version={version} head={<Head replay={replay} items={[]} view={view} short={short} />}>
          {chart}
        </Whole>
      )}
      <div className="relative">
        <TimelineLanes lanes={lanes} axis={axis} timeZone={timeZone} untilMs={now.getTime()} />
        <Marker share={shareOf(axis, atMs)} isReplay={isReplay} />
      </div>
      <TimeHandle
        axis={axis}
        reach={replayable(whole, now)}
        timeZone={timeZone}
        atMs={atMs}
        isLive={!isReplay}
        onSeek={replay.seek}
      />
    </section>
  );
};

/** An open end moves with the seconds: the axis moves with the minutes, so that the curve is not drawn again each second. */
const stepped = ({ fromMs, toMs }: ReturnType<typeof axisOf>) => ({ fromMs, toMs: Math.ceil(toMs / 60_000) * 60_000 });

const useLanes = (events: Known["events"], { fromMs, toMs }: ReturnType<typeof axisOf>) => {
  const minute = Math.ceil(toMs / 60_000) * 60_000;
  return useMemo(() => lanesOf(events, { fromMs, toMs: minute }), [events, fromMs, minute]);
};

const Whole = ({
  id,
  version,
  head,
  children,
}: {
  readonly id: string;
  readonly version: number | undefined;
  /** While there is no curve. */
  readonly head: ReactNode;
  readonly children: (curve: operator.PortfolioCurve) => ReactNode;
}) => {
  const query = version === undefined ? {} : { version };
  const asked = useOperator("/dispatches/{id}/performance/curve", { params: { id }, query });
  if (asked.data === undefined && asked.error === null)
    return (
      <>
        {head}
        <div
          role="status"
          aria-label={say("Loading the curve")}
          className="mx-4 my-2 rounded-lg bg-sunken"
          style={{ height: HEIGHT_PX - 16 }}
        />
      </>
    );
  return <Answered of={asked}>{children}</Answered>;
};

const Head = ({
  replay,
  items,
  view,
  short,
}: {
  readonly replay: Replay;
  /** Of the menu of the chart. */
  readonly items: readonly MenuItem[];
  readonly view: View;
  readonly short: Shown["short"];
}) => {
  const { isPlaying, at, speed } = replay;
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 pr-2.5 pl-4">
      <h2 className="text-base font-semibold">{say("Curve and timeline")}</h2>
      <span className="ml-auto flex items-center gap-1.5">
        <Button
          onClick={replay.play}
          aria-pressed={isPlaying}
          aria-label={at === null ? say("Replay") : isPlaying ? say("Pause") : say("Play")}
        >
          {at === null ? say("Replay") : isPlaying ? say("Pause") : say("Play")}
          <span aria-hidden="true" className="max-md:hidden">
            <Keys keys="p" />
          </span>
        </Button>
        <ActionMenu
          name={say("Speed of the replay: {n} times", { n: count(speed) })}
          parts={[
            {
              title: say("Speed of the replay"),
              actions: speeds.map((each) => ({ label: `${each}×`, run: () => replay.setSpeed(each) })),
            },
          ]}
        >
          {speed}×
        </ActionMenu>
        {items.length > 0 && (
          <ActionMenu name={say("Zoom, table and file of the chart")} parts={[{ actions: items }]} />
        )}
      </span>
      {view === "delivered" && (
        <span className="flex w-full flex-wrap items-center gap-x-3 text-xs text-muted">
          <span className="inline-flex items-center gap-1.5">
            <Swatch colour="ink" dashed={false} /> {say("delivered", {}, "power")}
          </span>
          <span className="inline-flex items-center gap-1.5">
            <Swatch colour="muted" dashed /> {say("committed", {}, "power")}
          </span>
          {short !== null && (
            <span className="inline-flex items-center gap-1.5 font-semibold text-ink">
              <span
                aria-hidden="true"
                className={`size-3 ${short.colour === "gap-bad" ? "bg-gap-bad" : "bg-gap-warn"}`}
              />
              {short.words}
            </span>
          )}
        </span>
      )}
    </header>
  );
};

/** A line at the moment that is shown; in a replay, what follows is faded. */
const Marker = ({ share, isReplay }: { readonly share: number; readonly isReplay: boolean }) => (
  <div
    aria-hidden="true"
    className="pointer-events-none absolute inset-y-0"
    style={{ left: QUIET_LEFT_PX, right: QUIET_RIGHT_PX }}
  >
    <div className="absolute inset-y-0 border-l border-line-strong" style={{ left: `${share * 100}%` }} />
    {isReplay && <div className="absolute inset-y-0 right-[-8px] bg-surface/72" style={{ left: `${share * 100}%` }} />}
  </div>
);
