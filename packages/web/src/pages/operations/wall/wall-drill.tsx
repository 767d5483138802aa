import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useOperator } from "../../../api/use-call.js";
import { clockWithSeconds, dayOf } from "../../../format/time.js";
import { Found } from "../../../parts/found.js";
import { momentText, replayOf } from "../../../rules/replay.js";
import { ButtonLink } from "../../../ui/button.js";
import { PageTimes } from "../../../ui/page-zone.js";
import { useTitle } from "../../../ui/use-title.js";
import { CurveCard } from "../dispatch/curve-card.js";
import type { Dispatch } from "../dispatch/dispatch.js";
import { HeadlineSentence } from "../dispatch/headline-sentence.js";
import { InPageZone } from "../dispatch/in-page-zone.js";
import { knownThen } from "../dispatch/replay-band.js";
import { type ShownResult, WithResult } from "../dispatch/shown-result.js";
import { useKnown } from "../dispatch/use-known.js";
import { type MomentInAddress, useReplay } from "../dispatch/use-replay.js";
import { useReplayKeys } from "../dispatch/use-replay-keys.js";
import { useView } from "../dispatch/use-view.js";
import { DrillFacts } from "./drill-facts.js";

const route = getRouteApi("/operations/wall");

/** A dispatch as the wall would have shown it, played again for a room to practise: nobody can be called or notified from it. */
export const WallDrill = ({ id, controls }: { readonly id: string; readonly controls: ReactNode }) => (
  <div className="flex min-h-dvh flex-col p-4 sm:p-6 wall:p-10">
    <Found of={useOperator("/dispatches/{id}", { params: { id } })} what="dispatch" back="/operations/dispatches">
      {(dispatch) => (
        <PageTimes timeZones={[dispatch.program.timezone]} whose={dispatch.program.name}>
          <InPageZone dispatch={dispatch}>
            {(shown) => (
              <WithResult dispatch={shown} version={undefined}>
                {(result) => <Drill dispatch={shown} result={result} controls={controls} />}
              </WithResult>
            )}
          </InPageZone>
        </PageTimes>
      )}
    </Found>
  </div>
);

interface Shown {
  readonly dispatch: Dispatch;
  readonly result: ShownResult;
}

const Drill = ({ dispatch, result, controls }: Shown & { readonly controls: ReactNode }) => {
  useTitle(say("Drill: {name}", { name: dispatch.program.name }));
  const [begin] = useState(() => replayOf(dispatch, new Date()).fromMs);
  const replay = useReplay(() => replayOf(dispatch, new Date()), useMomentInAddress(begin));
  const at = replay.at ?? new Date(begin);
  const known = useKnown(dispatch, at);
  const view = useView({ dispatch, result, version: undefined, known, at });
  useReplayKeys(say("Drill"), replay);
  return (
    <>
      <header className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 wall:mb-8">
        <Moment at={at} timeZone={dispatch.program.timezone} />
        <div className="flex flex-wrap items-center gap-2">
          <ButtonLink
            to="/operations/dispatches/$id"
            params={{ id: dispatch.id }}
            search={{ at: momentText(at.getTime()) }}
          >
            {say("Page of the dispatch")}
          </ButtonLink>
          <ButtonLink to="/operations/wall">{say("End the drill")}</ButtonLink>
          {controls}
        </div>
      </header>
      <p role="status" className="mb-4 rounded-xl bg-info-soft px-5 py-3 text-lg text-info wall:text-4xl">
        <b>{say("DRILL: a past dispatch, not live. Call nobody.")}</b>{" "}
        <span className="wall:text-2xl">{knownThen(result.performance, dispatch.program.timezone)}</span>
      </p>
      <main className="grid gap-4 wall:gap-8">
        <h1 className="text-3xl leading-tight font-semibold text-pretty break-words wall:text-7xl">
          <HeadlineSentence name={dispatch.program.name} words={view.headline} isBad={false} />
        </h1>
        <DrillFacts known={known} view={view} />
        <CurveCard
          dispatch={dispatch}
          result={result}
          version={undefined}
          events={known.events}
          replay={{ ...replay, at }}
          short={view.short}
        />
      </main>
    </>
  );
};

/** A drill begins with the dispatch; to return to live is to leave it. */
const useMomentInAddress = (beginMs: number): MomentInAddress => {
  const { at: text } = route.useSearch();
  const navigate = route.useNavigate();
  const write: MomentInAddress["write"] = (next, replace) => {
    if (next === undefined) return void navigate({ search: {} });
    void navigate({ search: (before) => ({ ...before, at: next }), replace, resetScroll: false });
  };
  return { text: text ?? momentText(beginMs), write };
};

const Moment = ({ at, timeZone }: { readonly at: Date; readonly timeZone: string }) => (
  <div className="text-3xl font-semibold text-info wall:text-6xl">
    {clockWithSeconds(at, timeZone)}{" "}
    <span className="text-lg font-normal text-muted wall:text-3xl">{dayOf(at, timeZone)}</span>
  </div>
);
