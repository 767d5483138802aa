import { useMemo } from "react";
import { useOperator } from "../../../api/use-call.js";
import { Found } from "../../../parts/found.js";
import { stateOf } from "../../../rules/dispatch-state.js";
import { marksOfRows } from "../../../rules/site-map.js";
import { useAtNow } from "../../../ui/use-now.js";
import type { Dispatch } from "../dispatch/dispatch.js";
import { HeadlineSentence } from "../dispatch/headline-sentence.js";
import { type ShownResult, WithResult } from "../dispatch/shown-result.js";
import { SiteDrawer } from "../dispatch/site-drawer.js";
import { useKnown } from "../dispatch/use-known.js";
import { useView } from "../dispatch/use-view.js";
import { type MapAnswers, MapLayout } from "./map-layout.js";

/** The sites of one dispatch, live. */
export const OneDispatch = ({ id, ...answers }: MapAnswers & { readonly id: string }) => (
  <Found of={useOperator("/dispatches/{id}", { params: { id } })} what="dispatch" back="/operations/dispatches">
    {(dispatch) => (
      <WithResult dispatch={dispatch} version={undefined}>
        {(result) => <Measured {...answers} dispatch={dispatch} result={result} />}
      </WithResult>
    )}
  </Found>
);

const Measured = ({
  map,
  now,
  dispatch,
  result,
}: MapAnswers & { readonly dispatch: Dispatch; readonly result: ShownResult }) => {
  const known = useKnown(dispatch, null);
  const view = useView({ dispatch, result, version: undefined, known, at: null });
  const isJudged = useIsJudged(dispatch, now) && view.isJudged;
  const marks = useMemo(() => marksOfRows(view.rows, dispatch.id, isJudged), [view.rows, dispatch.id, isJudged]);
  const located = useMemo(() => new Set(map.sites.map(({ id }) => id)), [map.sites]);
  return (
    <MapLayout
      map={map}
      now={now}
      marks={marks}
      chosen={dispatch}
      lead={<HeadlineSentence name={dispatch.program.name} words={view.headline} isBad />}
      without={dispatch.sites.filter(({ id }) => !located.has(id)).length}
      drawer={({ siteId, list }) => (
        <SiteDrawer dispatch={dispatch} siteId={siteId} version={undefined} list={list} stream={result.stream} />
      )}
    />
  );
};

/** Before it starts, and while its sites may still ramp up, nothing is short. */
const useIsJudged = (dispatch: Dispatch, now: MapAnswers["now"]): boolean => {
  const ramp = now.dispatches.find(({ id }) => id === dispatch.id)?.ramp_until ?? null;
  return useAtNow((at) => {
    const state = stateOf(dispatch, at);
    return state === "over" || (state === "in_progress" && (ramp === null || Date.parse(ramp) <= at.getTime()));
  });
};
