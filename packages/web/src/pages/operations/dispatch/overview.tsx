import type { ReactNode } from "react";
import { LiveMark } from "../../../live/live-mark.js";
import { MeasuredSoFar } from "../../../parts/measured-so-far.js";
import { whyNothing } from "../../../rules/judged.js";
import { Fault } from "../../../ui/state.js";
import { Causes } from "./causes.js";
import { CurveCard } from "./curve-card.js";
import type { Dispatch } from "./dispatch.js";
import { Headline } from "./headline.js";
import { NotNotifiedCard } from "./not-notified.js";
import type { ShownResult } from "./shown-result.js";
import type { Known } from "./use-known.js";
import type { Replay } from "./use-replay.js";
import type { DispatchView } from "./use-view.js";

/** What a dispatch delivers and lacks, why, and who was not notified. */
export const Overview = ({
  dispatch,
  result,
  version,
  known,
  view,
  replay,
  children,
}: {
  readonly dispatch: Dispatch;
  readonly result: ShownResult;
  readonly version: number | undefined;
  readonly known: Known;
  readonly view: DispatchView;
  readonly replay: Replay;
  /** Actions. */
  readonly children: ReactNode;
}) => {
  const { performance, preparing, stream, error } = result;
  const nothing = performance === null ? null : whyNothing(performance);
  const missing = view.notNotified.length > 0;
  return (
    <>
      <Headline
        dispatch={dispatch}
        words={view.headline}
        accounts={view.accounts}
        measured={view.measured}
        readingAt={view.readingAt}
        at={replay.at}
      >
        {children}
      </Headline>
      {stream !== "live" && (
        <div className="mb-2">
          <LiveMark state={stream} />
        </div>
      )}
      {error !== null && <Fault error={error} />}
      <Causes parts={view.causes} />
      {preparing !== null && (
        <div className="mb-3">
          <MeasuredSoFar of={preparing} />
        </div>
      )}
      {nothing !== null && <p className="mb-3 rounded-lg bg-sunken px-4 py-3 text-muted">{nothing}</p>}
      <div
        className={`mb-3 gap-4 max-md:flex max-md:flex-col-reverse md:grid ${missing ? "xl:grid-cols-[minmax(0,1.75fr)_minmax(330px,1fr)]" : ""}`}
      >
        <CurveCard
          dispatch={dispatch}
          result={result}
          version={version}
          events={known.events}
          replay={replay}
          short={view.short}
        />
        {missing && (
          <NotNotifiedCard
            dispatch={dispatch}
            accounts={view.notNotified}
            all={view.accounts}
            modification={view.modification}
            stakeKw={view.short === null ? null : (view.causes.find(({ cause }) => cause === "not_notified")?.kw ?? 0)}
            at={replay.at}
          />
        )}
      </div>
    </>
  );
};
