import { useSyncExternalStore } from "react";

/** The width from which the navigation stands beside the page: Tailwind's `lg`. */
const wide = window.matchMedia("(min-width: 64rem)");

const subscribe = (listener: () => void): (() => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
