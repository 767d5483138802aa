import { createRoute } from "@tanstack/react-router";
import { page } from "./page.js";
import { portfolioRoutes } from "./portfolio-routes.js";
import { NoSuchPage, operations } from "./root.js";
import { numberOf, textOf, texts } from "./search.js";

const under = () => operations;

const board = createRoute({
  getParentRoute: under,
  path: "/",
  component: page(() => import("../pages/operations/board.js"), "BoardPage"),
});

const dispatches = createRoute({
  getParentRoute: under,
  path: "/dispatches",
  validateSearch: texts("state", "program", "account", "site", "period", "from", "to", "tests", "order"),
  component: page(() => import("../pages/operations/dispatches.js"), "DispatchesPage"),
});

const newDispatch = createRoute({
  getParentRoute: under,
  path: "/dispatches/new",
  // `minutes` opens the confirmation of a dispatch of all sites from now; 0 means open-ended.
  validateSearch: (search: Record<string, unknown>) => ({ ...textOf(search, "program"), ...textOf(search, "minutes") }),
  component: page(() => import("../pages/operations/new-dispatch.js"), "NewDispatchPage"),
});

const dispatch = createRoute({
  getParentRoute: under,
  path: "/dispatches/$id",
  validateSearch: (search: Record<string, unknown>) => ({
    ...texts("tab", "site", "status", "search", "sort", "at", "do")(search),
    ...numberOf(search, "version"),
  }),
  component: page(() => import("../pages/operations/dispatch.js"), "DispatchPage"),
});

const dispatchReport = createRoute({
  getParentRoute: under,
  path: "/dispatches/$id/report",
  validateSearch: (search: Record<string, unknown>) => numberOf(search, "version"),
  component: page(() => import("../pages/operations/dispatch-report.js"), "DispatchReportPage"),
});

const alarms = createRoute({
  getParentRoute: under,
  path: "/alarms",
  validateSearch: texts("state", "group"),
  component: page(() => import("../pages/operations/alarms.js"), "AlarmsPage"),
});

const handOver = createRoute({
  getParentRoute: under,
  path: "/hand-over",
  component: page(() => import("../pages/operations/hand-over.js"), "HandOverPage"),
});

const newShiftReport = createRoute({
  getParentRoute: under,
  path: "/hand-over/new",
  validateSearch: texts("from", "to"),
  component: page(() => import("../pages/operations/new-shift-report.js"), "NewShiftReportPage"),
});

const shiftReport = createRoute({
  getParentRoute: under,
  path: "/hand-over/$id",
  validateSearch: (search: Record<string, unknown>) => numberOf(search, "version"),
  component: page(() => import("../pages/operations/shift-report.js"), "ShiftReportPage"),
});

const telemetry = createRoute({
  getParentRoute: under,
  path: "/telemetry",
  component: page(() => import("../pages/operations/telemetry.js"), "TelemetryPage"),
});

const siteTelemetry = createRoute({
  getParentRoute: under,
  path: "/telemetry/$id",
  component: page(() => import("../pages/operations/site-telemetry.js"), "SiteTelemetryPage"),
});

const reports = createRoute({
  getParentRoute: under,
  path: "/reports",
  validateSearch: texts("period", "from", "to", "by", "program", "account", "site", "tests", "accuracy", "sort"),
  component: page(() => import("../pages/operations/reports.js"), "ReportsPage"),
});

const noSuchPage = createRoute({ getParentRoute: under, path: "$", component: NoSuchPage });

/** The operators' pages. */
export const operationsRoutes = operations.addChildren([
  board,
  dispatches,
  newDispatch,
  dispatch,
  dispatchReport,
  alarms,
  handOver,
  newShiftReport,
  shiftReport,
  telemetry,
  siteTelemetry,
  reports,
  ...portfolioRoutes,
  noSuchPage,
]);
