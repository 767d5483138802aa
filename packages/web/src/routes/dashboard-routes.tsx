import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { dashboard } from "./root.js";
import { numberOf, textOf } from "./search.js";

const under = () => dashboard;

const now = createRoute({
  getParentRoute: under,
  path: "/",
  component: lazyRouteComponent(() => import("../pages/dashboard/now.js"), "NowPage"),
});

const dispatches = createRoute({
  getParentRoute: under,
  path: "/dispatches",
  component: lazyRouteComponent(() => import("../pages/dashboard/dispatches.js"), "DispatchesPage"),
});

const dispatch = createRoute({
  getParentRoute: under,
  path: "/dispatches/$id",
  validateSearch: (search: Record<string, unknown>) => ({
    ...textOf(search, "tab"),
    ...textOf(search, "site"),
    ...numberOf(search, "version"),
  }),
  component: lazyRouteComponent(() => import("../pages/dashboard/dispatch.js"), "DispatchPage"),
});

/** The participants' pages. */
export const dashboardRoutes = dashboard.addChildren([now, dispatches, dispatch]);
