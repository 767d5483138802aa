import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { dashboard } from "./root.js";

const under = () => dashboard;

const now = createRoute({
  getParentRoute: under,
  path: "/",
  component: lazyRouteComponent(() => import("../pages/dashboard/now.js"), "NowPage"),
});

/** The participants' pages. */
export const dashboardRoutes = dashboard.addChildren([now]);
