import { type Query, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { OPERATOR } from "../../../api/call.js";
import { useOperator } from "../../../api/use-call.js";
import type { StreamState } from "../../../live/event-stream.js";
import { useAtMostEvery } from "../../../live/use-at-most.js";
import { type OperatorPerformance, type Preparing, useOperatorPerformance } from "../../../live/use-performance.js";
import { STANDING_EVERY_MS, useStanding } from "../../../live/use-standing.js";
import { mayBeFinal } from "../../../rules/standing.js";
import type { Dispatch } from "./dispatch.js";

/** What is known of what a dispatch delivers or delivered. */
export interface ShownResult {
  /** null: nothing yet. */
  readonly performance: OperatorPerformance | null;
  readonly preparing: Preparing | null;
  readonly stream: StreamState;
  readonly error: Error | null;
}

interface Of {
  readonly dispatch: Dispatch;
  readonly children: (result: ShownResult) => ReactNode;
}

/** Shortest time between updates of the curves. With 1,000 sites the figures change every second. */
const CURVES_EVERY_MS = 3000;

/** The live result, the final result that applies, or a version of it. */
export const WithResult = ({ version, ...of }: Of & { readonly version: number | undefined }) => {
  const [openedAt] = useState(() => new Date());
  if (version !== undefined) return <KeptResult {...of} version={version} />;
  return mayBeFinal(of.dispatch, openedAt) ? <StandingResult {...of} /> : <LiveResult {...of} />;
};

/** The result of a dispatch that is over is read once, without a stream; now and then it is asked for a newer version. */
const StandingResult = ({ dispatch, children }: Of) => {
  const input = { params: { id: dispatch.id }, query: {} };
  const asked = useOperator("/dispatches/{id}/performance", input, { everyMs: STANDING_EVERY_MS });
  const standing = useStanding(OPERATOR, asked);
  if (standing.state === "not_final") return <LiveResult dispatch={dispatch}>{children}</LiveResult>;
  return children({ ...NOTHING, performance: standing.state === "final" ? standing.performance : null });
};

const NOTHING: ShownResult = { performance: null, preparing: null, stream: "live", error: null };

const LiveResult = ({ dispatch, children }: Of) => {
  const { performance, preparing, state } = useOperatorPerformance(dispatch.id);
  const queries = useQueryClient();
  useAtMostEvery(
    CURVES_EVERY_MS,
    preparing === null ? performance : null,
    () => void queries.invalidateQueries({ predicate: isOfNow }),
  );
  useRepeatedWhenPrepared(preparing !== null);
  return children({ performance, preparing, stream: state, error: null });
};

const isOfPerformance = ({ queryKey: [base, path] }: Query): boolean =>
  base === OPERATOR && String(path).includes("/performance");

/** What was at a moment of the past does not change with each reading. */
const isOfNow = (query: Query): boolean =>
  isOfPerformance(query) && query.queryKey[1] !== "/dispatches/{id}/performance/sites";

/** A request that was asked to retry later is sent again at once, when all sites are measured. */
const useRepeatedWhenPrepared = (isPreparing: boolean): void => {
  const queries = useQueryClient();
  const was = useRef(isPreparing);
  useEffect(() => {
    const isDone = was.current && !isPreparing;
    was.current = isPreparing;
    if (!isDone) return;
    const waiting = { predicate: (query: Query) => isOfPerformance(query) && query.state.data === undefined };
    void queries.cancelQueries(waiting).then(() => queries.refetchQueries(waiting));
  }, [isPreparing, queries]);
};

const KeptResult = ({ dispatch, version, children }: Of & { readonly version: number }) => {
  const { data, error } = useOperator("/dispatches/{id}/performance", {
    params: { id: dispatch.id },
    query: { version },
  });
  return children({ ...NOTHING, performance: data ?? null, error: data === undefined ? error : null });
};
