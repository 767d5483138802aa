import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { operations } from "./root.js";

const under = () => operations;

const accounts = createRoute({
  getParentRoute: under,
  path: "/accounts",
  component: lazyRouteComponent(() => import("../pages/operations/accounts.js"), "AccountsPage"),
});

/** The operators' pages about who takes part, with what. */
export const portfolioRoutes = [accounts] as const;
