import { type Query, type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

/** How often a page with a final result asks for a newer version of it. */
export const STANDING_EVERY_MS = 10_000;

/** A result that is still to be measured takes longer to answer, and is followed instead. */
const LATE_MS = 3000;

export type Standing<P> =
  | { readonly state: "asked" }
  | { readonly state: "not_final" }
  | { readonly state: "final"; readonly performance: P };

/** The final result that applies; what else was read of it is asked for again once there is a newer version. */
export const useStanding = <P extends { readonly version: number | null }>(
  base: string,
  { data, error }: UseQueryResult<P>,
): Standing<P> => {
  const isLate = useIsLate(LATE_MS);
  useReadAgain(base, data?.version ?? null);
  if (data !== undefined && data.version !== null) return { state: "final", performance: data };
  return { state: data === undefined && error === null && !isLate ? "asked" : "not_final" };
};

/** A result that applies is asked for a newer version by itself: it may be large, and no other change reads it again. */
export const isFinalResult = ({ queryKey: [, path], state }: Query): boolean =>
  path === "/dispatches/{id}/performance" &&
  typeof (state.data as { version?: unknown } | undefined)?.version === "number";

const useReadAgain = (base: string, version: number | null): void => {
  const queries = useQueryClient();
  const shown = useRef(version);
  useEffect(() => {
    const before = shown.current;
    shown.current = version;
    if (before === null || version === before) return;
    void queries.invalidateQueries({
      predicate: ({ queryKey: [of, path] }) => of === base && /\/(performance|shared-energy)/.test(String(path)),
    });
  }, [base, version, queries]);
};

const useIsLate = (ms: number): boolean => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLate;
};
