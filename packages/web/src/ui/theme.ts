import { useSyncExternalStore } from "react";

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const listeners = new Set<() => void>();

const chosen = (): Theme => themes.find((theme) => theme === localStorage.getItem("theme")) ?? "auto";

/** Light, dark, or the setting of the device; `public/theme.js` reads the choice before the first paint. */
export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem("theme", theme);
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useChosenTheme = (): Theme => useSyncExternalStore(subscribe, chosen);
