import { useSyncExternalStore } from "react";

const KEY = "shortcuts";
const listeners = new Set<() => void>();

/** Whether single keys act; people who speak to their computer switch them off (WCAG 2.1.4). */
export const shortcutsAreOn = (): boolean => localStorage.getItem(KEY) !== "off";

export const switchShortcuts = (on: boolean): void => {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useShortcutsAreOn = (): boolean => useSyncExternalStore(subscribe, shortcutsAreOn);
