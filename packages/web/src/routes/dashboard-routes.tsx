import { createRoute } from "@tanstack/react-router";
import { page } from "./page.js";
import { dashboard, NoSuchPage } from "./root.js";
import { numberOf, textOf, texts } from "./search.js";

const under = () => dashboard;

const now = createRoute({
  getParentRoute: under,
  path: "/",
  component: page(() => import("../pages/dashboard/now.js"), "NowPage"),
});

const dispatches = createRoute({
  getParentRoute: under,
  path: "/dispatches",
  validateSearch: texts("period", "program", "site", "tests"),
  component: page(() => import("../pages/dashboard/dispatches.js"), "DispatchesPage"),
});

const dispatch = createRoute({
  getParentRoute: under,
  path: "/dispatches/$id",
  validateSearch: (search: Record<string, unknown>) => ({
    ...textOf(search, "tab"),
    ...textOf(search, "site"),
    ...numberOf(search, "version"),
  }),
  component: page(() => import("../pages/dashboard/dispatch.js"), "DispatchPage"),
});

const dispatchReport = createRoute({
  getParentRoute: under,
  path: "/dispatches/$id/report",
  validateSearch: (search: Record<string, unknown>) => numberOf(search, "version"),
  component: page(() => import("../pages/dashboard/dispatch-report.js"), "DispatchReportPage"),
});

const energy = createRoute({
  getParentRoute: under,
  path: "/energy",
  validateSearch: texts("view", "site", "span", "at", "compare", "period", "from", "to", "zoomFrom", "zoomTo"),
  component: page(() => import("../pages/dashboard/energy.js"), "EnergyPage"),
});

const importing = createRoute({
  getParentRoute: under,
  path: "/energy/import",
  validateSearch: texts("site"),
  component: page(() => import("../pages/dashboard/import-meter-data.js"), "ImportMeterDataPage"),
});

const reports = createRoute({
  getParentRoute: under,
  path: "/reports",
  validateSearch: texts("period", "from", "to", "by", "program", "site", "tests", "sort"),
  component: page(() => import("../pages/dashboard/reports.js"), "ReportsPage"),
});

const availability = createRoute({
  getParentRoute: under,
  path: "/availability",
  validateSearch: texts("site"),
  component: page(() => import("../pages/dashboard/availability.js"), "AvailabilityPage"),
});

const statements = createRoute({
  getParentRoute: under,
  path: "/statements",
  component: page(() => import("../pages/dashboard/statements.js"), "StatementsPage"),
});

const statement = createRoute({
  getParentRoute: under,
  path: "/statements/$id",
  validateSearch: (search: Record<string, unknown>) => numberOf(search, "version"),
  component: page(() => import("../pages/dashboard/statement.js"), "StatementPage"),
});

const connect = createRoute({
  getParentRoute: under,
  path: "/connect",
  component: page(() => import("../pages/dashboard/connect.js"), "ConnectPage"),
});

const webhooks = createRoute({
  getParentRoute: under,
  path: "/webhooks",
  component: page(() => import("../pages/dashboard/webhooks.js"), "WebhooksPage"),
});

const webhook = createRoute({
  getParentRoute: under,
  path: "/webhooks/$id",
  validateSearch: texts("environment"),
  component: page(() => import("../pages/dashboard/webhook.js"), "WebhookPage"),
});

const keys = createRoute({
  getParentRoute: under,
  path: "/keys",
  component: page(() => import("../pages/dashboard/keys.js"), "KeysPage"),
});

const requests = createRoute({
  getParentRoute: under,
  path: "/requests",
  validateSearch: texts("status", "environment"),
  component: page(() => import("../pages/dashboard/requests.js"), "RequestsPage"),
});

const sandbox = createRoute({
  getParentRoute: under,
  path: "/sandbox",
  component: page(() => import("../pages/dashboard/sandbox.js"), "SandboxPage"),
});

const contacts = createRoute({
  getParentRoute: under,
  path: "/contacts",
  component: page(() => import("../pages/dashboard/contacts.js"), "ContactsPage"),
});

const users = createRoute({
  getParentRoute: under,
  path: "/users",
  component: page(() => import("../pages/dashboard/users.js"), "UsersPage"),
});

const noSuchPage = createRoute({ getParentRoute: under, path: "$", component: NoSuchPage });

/** The participants' pages. */
export const dashboardRoutes = dashboard.addChildren([
  now,
  dispatches,
  dispatch,
  dispatchReport,
  energy,
  importing,
  reports,
  availability,
  statements,
  statement,
  connect,
  webhooks,
  webhook,
  keys,
  requests,
  sandbox,
  contacts,
  users,
  noSuchPage,
]);
