import { useSyncExternalStore } from "react";
import type { ZoneChoice } from "../format/page-zone.js";

const KEY = "time-zone";
const listeners = new Set<() => void>();

const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

/** Another version of the pages, or another browser, may have stored what this one does not know. */
const chosen = (): ZoneChoice => {
  const stored = localStorage.getItem(KEY);
  return stored !== null && (stored === "own" || isZone(stored)) ? stored : "page";
};

/** Chooses the zone of all pages in this browser. */
export const chooseZone = (choice: ZoneChoice): void => {
  if (choice === "page") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  // Chosen in another tab.
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};

export const useZoneChoice = (): ZoneChoice => useSyncExternalStore(subscribe, chosen);
