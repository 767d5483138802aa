import type { Dispatch } from "@curtail/contract";
import { useEffect } from "react";
import { callConsole } from "../../../api/call.js";
import { isRead } from "../../../rules/page-read.js";

const INPUTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

const isReload = (): boolean =>
  performance.getEntriesByType("navigation").some((each) => (each as PerformanceNavigationTiming).type === "reload");

/** Opening the page is an input, reloading it is not. */
let lastInputMs: number | null = isReload() ? null : Date.now();
for (const input of INPUTS) {
  window.addEventListener(input, () => (lastInputMs = Date.now()), { capture: true, passive: true });
}

/** Tells the service once when the signed-in person reads this modification of a dispatch. */
export const usePageRead = ({ id, modification_number }: Dispatch): void =>
  useEffect(() => {
    let isSent = false;
    const look = () => {
      const isVisible = document.visibilityState === "visible";
      if (isSent || !isRead({ isVisible, lastInputMs }, Date.now())) return;
      isSent = true;
      callConsole("PUT", "/dispatches/{id}/page-read", { params: { id }, body: { modification_number } }).catch(() => {
        // Offline, for example: the next input tries again.
        isSent = false;
      });
    };
    look();
    const places = [...INPUTS, "visibilitychange"] as const;
    for (const place of places) document.addEventListener(place, look, { passive: true });
    return () => {
      for (const place of places) document.removeEventListener(place, look);
    };
  }, [id, modification_number]);
