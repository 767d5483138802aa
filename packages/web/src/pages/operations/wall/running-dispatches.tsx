import type { operator } from "@curtail/contract";
import { WallDispatch } from "./wall-dispatch.js";
import { WallRows } from "./wall-rows.js";
import { WhomToCall } from "./whom-to-call.js";

/** Dispatches in progress, all at once, and whom to call. */
export const RunningDispatches = ({ overview }: { readonly overview: operator.OperatorOverview }) => {
  const { active } = overview.dispatches;
  const [only] = active;
  return (
    <>
      {active.length === 1 && only !== undefined ? (
        <WallDispatch key={only.id} dispatch={only} alarms={overview.alarms_open} />
      ) : (
        <WallRows dispatches={active} />
      )}
      <WhomToCall />
    </>
  );
};
