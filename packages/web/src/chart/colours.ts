import { useSyncExternalStore } from "react";

/** Meaning of a curve; it has the same colour on every page. */
export type CurveColour =
  | "chart-1"
  | "chart-2"
  | "chart-3"
  | "chart-4"
  | "chart-5"
  | "chart-6"
  /** Measured, and agreed: where only the area between them has a colour. */
  | "ink"
  | "muted";
export const curveColours: readonly CurveColour[] = ["chart-1", "chart-2", "chart-3", "chart-4", "chart-5", "chart-6"];

/** A theme colour as a value for the canvas. */
export const resolved = (name: string, within: Element): string => {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

const dark = window.matchMedia("(prefers-color-scheme: dark)");

const listen = (listener: () => void): (() => void) => {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dark.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", listener);
  };
};

/** Changes with the theme, so that charts are redrawn. */
export const useTheme = (): string =>
  useSyncExternalStore(listen, () => `${document.documentElement.dataset["theme"] ?? "auto"} ${dark.matches}`);
