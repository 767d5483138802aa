import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let now = new Date();
let timer: ReturnType<typeof setInterval> | null = null;

/** One clock for the page, so that all ages and countdowns tick together. */
const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = new Date();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
};

/** What the current time means for a part of the page, which is rendered again only when that changes. */
export const useAtNow = <T extends string | number | boolean | null>(of: (now: Date) => T): T =>
  useSyncExternalStore(listen, () => of(now));

/** The current time, updated every second. */
export const useNow = (): Date => useSyncExternalStore(listen, () => now);
