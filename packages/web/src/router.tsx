import { type Query, QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { ApiError } from "./api/call.js";
import { dashboardRoutes } from "./routes/dashboard-routes.js";
import { operationsRoutes } from "./routes/operations-routes.js";
import { root, signIn, start, you, yourself } from "./routes/root.js";
import { Waiting } from "./ui/state.js";

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // What the service refused it refuses again; what it could not be asked, it may be asked again.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400),
    },
  },
});

let wasSignedIn = false;

/** A session may end elsewhere: its own query finds nobody any more, and every other one fails. */
const hasEnded = ({ queryKey, state: { data, error } }: Query): boolean => {
  if (queryKey[1] !== "/session") return error instanceof ApiError && error.status === 401;
  const ended = wasSignedIn && data === null;
  if (data !== undefined) wasSignedIn = data !== null;
  return ended;
};

/** For somebody who is no longer signed in, the sign-in form is what helps. */
queries.getQueryCache().subscribe(({ query }) => {
  if (hasEnded(query) && window.location.pathname !== "/sign-in") window.location.assign("/sign-in");
});

const routes = root.addChildren([start, signIn, dashboardRoutes, operationsRoutes, you.addChildren([yourself])]);

export const router = createRouter({
  routeTree: routes,
  context: { queries },
  defaultPreload: "intent",
  defaultPendingComponent: Waiting,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
