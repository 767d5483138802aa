import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { loadRefusals } from "../api/refusal-words.js";
import { loadDialogs } from "../ui/dialog.js";

/** Waits, so that the open page loads first on a slow connection. */
const CALM_MS = 2000;

/**
 * Loads the other pages of a side one by one when idle, so that they open even while the service is down; not where the
 * browser is to save data.
 */
export const useLoadAhead = (side: string): void => {
  const router = useRouter();
  const queries = useQueryClient();
  useEffect(() => {
    const ahead = Object.values(router.routesById).filter(({ id }) => id.startsWith(side) || id === "/you/");
    let timer: ReturnType<typeof setTimeout>;
    let isFirst = true;
    const next = async (): Promise<void> => {
      if (queries.isFetching() > 0) return later();
      // A dialog that failed to load is loaded again when it is opened.
      if (isFirst) await Promise.all([loadDialogs().catch(() => undefined), loadRefusals()]);
      isFirst = false;
      const route = ahead.shift();
      // A page that failed to load is loaded again when it is opened, and shows the error.
      await Promise.resolve(route === undefined ? null : router.loadRouteChunk(route)).catch(() => undefined);
      if (route !== undefined) later(0);
    };
    const later = (delayMs = CALM_MS): void => {
      timer = setTimeout(() => void next(), delayMs);
    };
    if (!savesData()) later();
    return () => {
      clearTimeout(timer);
      ahead.length = 0;
    };
  }, [router, queries, side]);
};

/** What a browser tells of a connection that costs money; not every browser does. */
type Connected = Navigator & { readonly connection?: { readonly saveData?: boolean } };

const savesData = (): boolean => (navigator as Connected).connection?.saveData === true;
