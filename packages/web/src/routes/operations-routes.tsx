import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { portfolioRoutes } from "./portfolio-routes.js";
import { operations } from "./root.js";

const under = () => operations;

const board = createRoute({
  getParentRoute: under,
  path: "/",
  component: lazyRouteComponent(() => import("../pages/operations/board.js"), "BoardPage"),
});

/** The operators' pages. */
export const operationsRoutes = operations.addChildren([board, ...portfolioRoutes]);
