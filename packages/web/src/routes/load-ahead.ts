import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** What the open page needs comes first, over a slow line too. */
const CALM_MS = 2000;

/** Loads the other pages of a side one by one while nothing else goes on, so that they open while the service is away. */
export const useLoadAhead = (side: string): void => {
  const router = useRouter();
  const queries = useQueryClient();
  useEffect(() => {
    const ahead = Object.values(router.routesById).filter(({ id }) => id.startsWith(side) || id === "/you/");
    let timer: ReturnType<typeof setTimeout>;
    const next = async (): Promise<void> => {
      if (queries.isFetching() > 0) return later();
      const route = ahead.shift();
      // One that cannot be loaded now is loaded when it is opened, which says what is wrong.
      await Promise.resolve(route === undefined ? null : router.loadRouteChunk(route)).catch(() => undefined);
      if (route !== undefined) later(0);
    };
    const later = (delayMs = CALM_MS): void => {
      timer = setTimeout(() => void next(), delayMs);
    };
    later();
    return () => {
      clearTimeout(timer);
      ahead.length = 0;
    };
  }, [router, queries, side]);
};
