import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { count, power } from "../../../format/quantity.js";
import { countdown, dayAndClock } from "../../../format/time.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { useNow } from "../../../ui/use-now.js";
import { WallFigure } from "./wall-figure.js";

/** Between dispatches: the load, how sites report, and what comes next. */
export const Idle = ({ overview }: { readonly overview: operator.OperatorOverview }) => {
  const { load_kw, load_meters, load_meters_reporting, sites, sites_streaming, sites_stale, alarms_open, dispatches } =
    overview;
  const [next] = dispatches.upcoming;
  return (
    <>
      <h1 className="text-2xl font-semibold wall:text-5xl">{say("No dispatch in progress")}</h1>
      {next !== undefined && <Next dispatch={next} />}
      <div className="my-auto grid gap-4 py-6 sm:grid-cols-2 wall:gap-8">
        <WallFigure
          label={say("Load now")}
          value={power(load_kw)}
          hint={say("{part} of {n, plural, one {# meter} other {# meters}}", {
            part: count(load_meters_reporting),
            n: load_meters,
          })}
        />
        <WallFigure
          label={say("Sites streaming")}
          value={say("{part} of {all}", { part: count(sites_streaming), all: count(sites) })}
        />
        <WallFigure label={say("Sites stale")} value={count(sites_stale)} tone={sites_stale > 0 ? "warn" : "ink"} />
        <WallFigure label={say("Open alarms")} value={count(alarms_open)} tone={alarms_open > 0 ? "bad" : "good"} />
      </div>
    </>
  );
};

const Next = ({ dispatch }: { readonly dispatch: operator.DispatchOverview }) => {
  const now = useNow();
  const zone = usePageZone();
  const of = {
    program: dispatch.program_name,
    time: dayAndClock(dispatch.start_time, zone),
    zone,
    left: countdown(dispatch.start_time, now),
    kw: power(dispatch.commitment_kw),
  };
  return (
    <p className="mt-1 text-lg text-muted wall:mt-3 wall:text-3xl">
      {dispatch.test
        ? say("Next: {program} (test), {time} ({zone}), in {left}, {kw} committed", of)
        : say("Next: {program}, {time} ({zone}), in {left}, {kw} committed", of)}
    </p>
  );
};
