import { createRoute } from "@tanstack/react-router";
import { page } from "./page.js";
import { operations } from "./root.js";
import { numberOf, texts } from "./search.js";

const under = () => operations;

const accounts = createRoute({
  getParentRoute: under,
  path: "/accounts",
  validateSearch: texts("do"),
  component: page(() => import("../pages/operations/accounts.js"), "AccountsPage"),
});

const account = createRoute({
  getParentRoute: under,
  path: "/accounts/$id",
  validateSearch: texts("tab", "webhook", "do"),
  component: page(() => import("../pages/operations/account.js"), "AccountPage"),
});

const sites = createRoute({
  getParentRoute: under,
  path: "/sites",
  validateSearch: texts("search", "account", "group", "located"),
  component: page(() => import("../pages/operations/sites.js"), "SitesPage"),
});

const map = createRoute({
  getParentRoute: under,
  path: "/map",
  validateSearch: texts("dispatch", "site", "search"),
  component: page(() => import("../pages/operations/map.js"), "MapPage"),
});

const site = createRoute({
  getParentRoute: under,
  path: "/sites/$id",
  // `do` opens a dialog of the page, here and below; `day` is the day of its chart.
  validateSearch: texts("do", "day"),
  component: page(() => import("../pages/operations/site.js"), "SitePage"),
});

const siteMeterData = createRoute({
  getParentRoute: under,
  path: "/sites/$id/meter-data",
  component: page(() => import("../pages/operations/site-meter-data.js"), "SiteMeterDataPage"),
});

const programs = createRoute({
  getParentRoute: under,
  path: "/programs",
  validateSearch: texts("do"),
  component: page(() => import("../pages/operations/programs.js"), "ProgramsPage"),
});

const program = createRoute({
  getParentRoute: under,
  path: "/programs/$id",
  component: page(() => import("../pages/operations/program.js"), "ProgramPage"),
});

const statements = createRoute({
  getParentRoute: under,
  path: "/statements",
  validateSearch: texts("month", "account", "state"),
  component: page(() => import("../pages/operations/statements.js"), "StatementsPage"),
});

const statement = createRoute({
  getParentRoute: under,
  path: "/statements/$id",
  validateSearch: (search: Record<string, unknown>) => numberOf(search, "version"),
  component: page(() => import("../pages/operations/statement.js"), "StatementPage"),
});

const ven = createRoute({
  getParentRoute: under,
  path: "/vens/$id",
  component: page(() => import("../pages/operations/ven.js"), "VenPage"),
});

const openadr3 = createRoute({
  getParentRoute: under,
  path: "/openadr3",
  validateSearch: texts("tab", "environment", "program", "state"),
  component: page(() => import("../pages/operations/openadr3.js"), "Openadr3Page"),
});

const newOpenadr3Event = createRoute({
  getParentRoute: under,
  path: "/openadr3/events/new",
  validateSearch: texts("environment", "program"),
  component: page(() => import("../pages/operations/new-openadr3-event.js"), "NewOpenadr3EventPage"),
});

const openadr3Event = createRoute({
  getParentRoute: under,
  path: "/openadr3/events/$id",
  component: page(() => import("../pages/operations/openadr3-event.js"), "Openadr3EventPage"),
});

const openadr3EventValues = createRoute({
  getParentRoute: under,
  path: "/openadr3/events/$id/values",
  component: page(() => import("../pages/operations/openadr3-event-values.js"), "Openadr3EventValuesPage"),
});

const openadr3Client = createRoute({
  getParentRoute: under,
  path: "/openadr3/clients/$id",
  component: page(() => import("../pages/operations/openadr3-client.js"), "Openadr3ClientPage"),
});

const onboarding = createRoute({
  getParentRoute: under,
  path: "/onboarding",
  validateSearch: texts("show"),
  component: page(() => import("../pages/operations/onboarding.js"), "OnboardingPage"),
});

const users = createRoute({
  getParentRoute: under,
  path: "/users",
  component: page(() => import("../pages/operations/users.js"), "UsersPage"),
});

const audit = createRoute({
  getParentRoute: under,
  path: "/audit",
  validateSearch: texts("account", "actor", "action", "subject", "from", "to"),
  component: page(() => import("../pages/operations/audit.js"), "AuditPage"),
});

const importing = createRoute({
  getParentRoute: under,
  path: "/import",
  component: page(() => import("../pages/operations/import.js"), "ImportPage"),
});

/** The operators' pages about accounts, sites, programs, statements, VENs and OpenADR 3. */
export const portfolioRoutes = [
  accounts,
  account,
  sites,
  map,
  site,
  siteMeterData,
  programs,
  program,
  statements,
  statement,
  ven,
  openadr3,
  newOpenadr3Event,
  openadr3Event,
  openadr3EventValues,
  openadr3Client,
  onboarding,
  users,
  audit,
  importing,
] as const;
