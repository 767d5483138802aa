import { useSyncExternalStore } from "react";

const KEY = "alarm-sound";
const listeners = new Set<() => void>();

/** Whether alarms are heard in this browser. */
const isOn = (): boolean => localStorage.getItem(KEY) === "on";

export const switchSound = (on: boolean): void => {
  if (on) localStorage.setItem(KEY, "on");
  else localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSoundIsOn = (): boolean => useSyncExternalStore(subscribe, isOn);
