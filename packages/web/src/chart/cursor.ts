import { useSyncExternalStore } from "react";

/** Where the cursor of a chart is. */
export interface Cursor {
  /** Index of the timestamp. */
  readonly index: number;
  /** In pixels from the corner of the chart, with its axes. */
  readonly left: number;
  readonly top: number;
  readonly by: "pointer" | "keyboard";
}

/** Holds the cursor outside of React's state of the chart, so that moving it renders only what follows it. */
export interface CursorStore {
  readonly get: () => Cursor | null;
  readonly set: (cursor: Cursor | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export const newCursorStore = (): CursorStore => {
  const listeners = new Set<() => void>();
  let cursor: Cursor | null = null;
  return {
    get: () => cursor,
    set: (next) => {
      if (isSame(cursor, next)) return;
      cursor = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useCursor = ({ subscribe, get }: CursorStore): Cursor | null => useSyncExternalStore(subscribe, get);

const isSame = (a: Cursor | null, b: Cursor | null): boolean =>
  a === b || (a !== null && b !== null && a.index === b.index && a.left === b.left && a.top === b.top && a.by === b.by);
