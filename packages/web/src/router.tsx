import { type Query, QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { ApiError, isNotConnected } from "./api/call.js";
import { leave } from "./api/leave.js";
import { sessionQuery } from "./api/session.js";
import { dashboardRoutes } from "./routes/dashboard-routes.js";
import { operationsRoutes } from "./routes/operations-routes.js";
import { orderedHistory } from "./routes/ordered-history.js";
import { PageFault, root, signIn, start, wall, you, yourself } from "./routes/root.js";
import { removeFirstFrame } from "./shell/first-frame.js";
import { Waiting } from "./ui/state.js";
import { connection } from "./ui/use-connected.js";

const RETRY_MS = [500, 1000, 2000, 5000] as const;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      networkMode: "always",
      // Refused requests are not retried; while the service is down, requests are retried until it is back.
      retry: (failures, error) => isNotConnected(error) || (failures < 2 && !(error instanceof ApiError)),
      retryDelay: (failures) => RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0,
    },
    // A change that cannot be sent fails at once; queued, it might take effect hours later.
    mutations: { networkMode: "always" },
  },
});

let wasSignedIn = false;

/** A session may end elsewhere. Then the session query returns no user, and every other query fails with 401. */
const hasEnded = ({ queryKey, state: { data, error } }: Query): boolean => {
  if (queryKey[1] !== "/session") return error instanceof ApiError && error.status === 401;
  const ended = wasSignedIn && data === null;
  if (data !== undefined) wasSignedIn = data !== null;
  return ended;
};

/** Nobody is at a wall to sign in: its page says that it is signed out, over the last numbers. */
const STAYS = "/operations/wall";

/** Opens the sign-in form when the session is over. */
queries.getQueryCache().subscribe(({ query }) => {
  const { pathname, search, hash } = window.location;
  if (!hasEnded(query) || pathname === "/sign-in" || pathname === STAYS) return;
  leave(`/sign-in?next=${encodeURIComponent(pathname + search + hash)}`);
});

/** A change may be the first to find that the session is over, so the session is requested again. */
queries.getMutationCache().subscribe(({ mutation }) => {
  const error = mutation?.state.error;
  if (error instanceof ApiError && error.status === 401) void queries.invalidateQueries(sessionQuery);
});

const routes = root.addChildren([start, signIn, wall, dashboardRoutes, operationsRoutes, you.addChildren([yourself])]);

export const router = createRouter({
  routeTree: routes,
  history: orderedHistory(),
  context: { queries },
  defaultPreload: "intent",
  defaultPendingComponent: Waiting,
  defaultErrorComponent: PageFault,
  scrollRestoration: true,
});

// Shows "Loading…" before the first page; after that, the open page stays until the next one is ready.
const opened = router.subscribe("onResolved", () => {
  opened();
  removeFirstFrame();
  router.update({ ...router.options, defaultPendingMs: Number.POSITIVE_INFINITY });
});

// "Loading…" would be wrong by then.
const lost = connection.subscribe(() => {
  lost();
  removeFirstFrame();
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
