import { useLayoutEffect, useSyncExternalStore } from "react";

let shown = 0;
const listeners = new Set<() => void>();

const change = (by: 1 | -1): void => {
  shown += by;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The page says by itself how old its figures are: the frame says nothing of it while it is live. */
export const useOwnMark = (): void =>
  useLayoutEffect(() => {
    change(1);
    return () => change(-1);
  }, []);

export const useHasOwnMark = (): boolean => useSyncExternalStore(subscribe, () => shown > 0);
