import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../api/call.js";
import { homeOf, isOperator, sessionQuery, type User } from "../api/session.js";
import { Button, ButtonLink } from "../ui/button.js";
import { Fault, Waiting } from "../ui/state.js";
import { OutdatedPage, page, reloadOnce } from "./page.js";
import { texts } from "./search.js";

export const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  errorComponent: ({ error }) => (
    <main className="mx-auto max-w-xl p-6">
      <PageFault error={error} />
    </main>
  ),
  notFoundComponent: () => (
    <main className="mx-auto max-w-xl p-6">
      <h1 className="mb-2 text-xl font-semibold">There is no such page</h1>
      <ButtonLink to="/">Back to the beginning</ButtonLink>
    </main>
  ),
});

/** In place of a page that failed. One of a former version is loaded anew by itself. */
export const PageFault = ({ error }: { readonly error: unknown }) => {
  const [reloads] = useState(() => error instanceof OutdatedPage && reloadOnce());
  if (reloads) return <Waiting />;
  const known = error instanceof OutdatedPage || error instanceof ApiError;
  return (
    <>
      <h1 className="mb-2 text-xl font-semibold">This page could not be shown</h1>
      <Fault error={known ? error : new Error("Something went wrong on this page. Load it again.")} />
      <div className="flex gap-2">
        <Button look="primary" onClick={() => window.location.reload()}>
          Load again
        </Button>
        <ButtonLink to="/">Back to the start</ButtonLink>
      </div>
    </>
  );
};

const signedIn = async (queries: QueryClient): Promise<User> => {
  const session = await queries.ensureQueryData(sessionQuery);
  if (session === null) throw redirect({ to: "/sign-in" });
  return session.user;
};

export const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: async ({ context }) => {
    throw redirect({ to: homeOf(await signedIn(context.queries)) });
  },
});

export const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  // A link may know who comes, and the service why somebody is back.
  validateSearch: texts("email", "failed"),
  component: page(() => import("../pages/sign-in.js"), "SignInPage"),
});

/** Pages of one side send the other side's people to their own: each page's data is refused to them anyway. */
export const dashboard = createRoute({
  getParentRoute: () => root,
  path: "/dashboard",
  beforeLoad: async ({ context }) => {
    const user = await signedIn(context.queries);
    if (isOperator(user)) throw redirect({ to: "/operations" });
  },
  component: page(() => import("../shell/dashboard-shell.js"), "DashboardShell"),
});

export const operations = createRoute({
  getParentRoute: () => root,
  path: "/operations",
  beforeLoad: async ({ context }) => {
    const user = await signedIn(context.queries);
    if (!isOperator(user)) throw redirect({ to: "/dashboard" });
  },
  component: page(() => import("../shell/operations-shell.js"), "OperationsShell"),
});

export const you = createRoute({
  getParentRoute: () => root,
  path: "/you",
  beforeLoad: async ({ context }) => void (await signedIn(context.queries)),
  component: page(() => import("../shell/you-shell.js"), "YouShell"),
});

export const yourself = createRoute({
  getParentRoute: () => you,
  path: "/",
  component: page(() => import("../pages/you.js"), "YouPage"),
});
