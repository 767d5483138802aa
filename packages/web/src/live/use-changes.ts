import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { connection } from "../ui/use-connected.js";
import { follow, type StreamState } from "./event-stream.js";
import { isFinalResult } from "./use-standing.js";

/** Paths whose data an event makes stale. */
const concerned: Readonly<Record<string, readonly string[]>> = {
  dispatch: ["/dispatches", "/overview", "/onboarding", "/schedule", "/load"],
  alarm: ["/alarms", "/overview", "/timeline", "/replay"],
  delivery: ["/evidence", "/deliveries", "/attention", "/timeline", "/replay"],
};

/** Refreshes the page's data when the service reports changes; returns the state of the stream. */
export const useChanges = (base: string): StreamState => {
  const queries = useQueryClient();
  const [state, setState] = useState<StreamState>("connecting");
  useEffect(
    () =>
      follow(`${base}/changes/stream`, {
        onState: (next) => {
          setState(next);
          if (next === "live") connection.back();
          if (typeof next === "object") connection.lost();
          // Refused means signed out or disabled: requesting the session shows which.
          if (next === "refused") void queries.invalidateQueries({ queryKey: ["/auth"] });
        },
        onEvent: ({ event }) => refresh(queries, base, event),
      }),
    [base, queries],
  );
  return state;
};

const refresh = (queries: QueryClient, base: string, event: string | undefined): void => {
  const paths = event === undefined || event === "ready" ? null : (concerned[event] ?? []);
  const isConcerned = (path: string): boolean => paths === null || paths.some((each) => path.includes(each));
  void queries.invalidateQueries({
    predicate: (query: Query) =>
      query.queryKey[0] === base && isConcerned(String(query.queryKey[1])) && !isFinalResult(query),
  });
};
