import type { operator } from "@curtail/contract";
import { useState } from "react";
import { TURN_MS, turned, turnOf } from "../../../rules/wall.js";
import { Button } from "../../../ui/button.js";
import { useNow } from "../../../ui/use-now.js";
import { WallDispatch } from "./wall-dispatch.js";

/** Dispatches in progress; several take turns unless they are held. */
export const RunningDispatches = ({ overview }: { readonly overview: operator.OperatorOverview }) => {
  const { active } = overview.dispatches;
  const now = useNow();
  const [since, setSince] = useState(() => now.getTime());
  const [held, setHeld] = useState<number | null>(null);
  const index = held === null ? turnOf(active.length, now.getTime() - since) : held % active.length;
  const dispatch = active[index];
  if (dispatch === undefined) return null;
  const show = (next: number) => (held === null ? setSince(now.getTime() - next * TURN_MS) : setHeld(next));
  return (
    <>
      <WallDispatch key={dispatch.id} dispatch={dispatch} alarms={overview.alarms_open} />
      {active.length > 1 && (
        <div role="group" aria-label="Dispatches in progress" className="mt-4 flex items-center justify-center gap-2">
          <Button aria-label="Previous dispatch" onClick={() => show(turned(index, -1, active.length))}>
            ‹
          </Button>
          <span className="min-w-24 text-center text-muted wall:text-2xl">
            {index + 1} of {active.length}
          </span>
          <Button aria-label="Next dispatch" onClick={() => show(turned(index, 1, active.length))}>
            ›
          </Button>
          <Button
            aria-pressed={held !== null}
            onClick={() => (held === null ? setHeld(index) : (setHeld(null), show(index)))}
          >
            Hold
          </Button>
        </div>
      )}
    </>
  );
};
