import { say } from "@curtail/words/page";
import { clockWithSeconds, dayAndClock } from "../../../format/time.js";
import type { OperatorPerformance } from "../../../live/use-performance.js";
import { momentText } from "../../../rules/replay.js";
import { Button, ButtonLink } from "../../../ui/button.js";
import { Keys } from "../../../ui/keys.js";
import type { Dispatch } from "./dispatch.js";
import type { Replay } from "./use-replay.js";

/** Says that the page shows a moment of the past, and how much of it was known then. */
export const ReplayBand = ({
  dispatch,
  replay,
  performance,
}: {
  readonly dispatch: Dispatch;
  readonly replay: Replay;
  readonly performance: OperatorPerformance | null;
}) => {
  if (replay.at === null) return null;
  const { timezone: timeZone } = dispatch.program;
  return (
    <div
      role="status"
      className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-[10px] bg-info-soft py-1.5 pr-2 pl-4 text-sm text-info"
    >
      <b>{say("Replay, {time}.", { time: clockWithSeconds(replay.at, timeZone) })}</b>
      <span>{knownThen(performance, timeZone)}</span>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <ButtonLink to="/operations/wall" search={{ replay: dispatch.id, at: momentText(replay.at.getTime()) }}>
          <span className="text-ink">{say("Show on the wall")}</span>
        </ButtonLink>
        <Button onClick={replay.live}>
          <span className="text-ink">{say("Back to live")}</span>
          <span aria-hidden="true" className="max-md:hidden">
            <Keys keys="l" />
          </span>
        </Button>
      </span>
    </div>
  );
};

/** Readings carry no time of arrival; versions of the result say when late ones changed it. */
export const knownThen = (performance: OperatorPerformance | null, timeZone: string): string => {
  const late = performance?.versions.filter(({ reason }) => reason === "corrected").at(-1);
  return late === undefined
    ? say("Notices, calls and alarms as known then; the curve as known now.")
    : say(
        "Notices, calls and alarms as known then; the curve as known now: late or corrected readings changed it {time}.",
        { time: dayAndClock(late.at, timeZone) },
      );
};
