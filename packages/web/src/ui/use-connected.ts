import { useSyncExternalStore } from "react";

let isConnected = true;
const listeners = new Set<() => void>();

const set = (next: boolean): void => {
  if (isConnected === next) return;
  isConnected = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the service responds; every call and stream reports it. */
export const connection = {
  lost: () => set(false),
  back: () => set(true),
  subscribe,
} as const;

export const useConnected = (): boolean => useSyncExternalStore(subscribe, () => isConnected);
