import { say } from "@curtail/words/page";
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../api/call.js";
import { sessionQuery, type User } from "../api/session.js";
import { homeOf, isOperator } from "../rules/role.js";
import { Button, ButtonLink } from "../ui/button.js";
import { OutdatedPage } from "../ui/load-code.js";
import { Fault, Waiting } from "../ui/state.js";
import { useTitle } from "../ui/use-title.js";
import { page, reloadOnce } from "./page.js";
import { textOf, texts } from "./search.js";

export const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  // `zoom` is the part that the charts of any page show, `do` the dialog that is open.
  validateSearch: texts("zoom", "do"),
  component: Outlet,
  errorComponent: ({ error }) => (
    <main className="mx-auto max-w-xl p-6">
      <PageFault error={error} />
    </main>
  ),
  notFoundComponent: () => (
    <main className="mx-auto max-w-xl p-6">
      <NoSuchPage />
    </main>
  ),
});

/** In the frame of the side that the address begins with. */
export const NoSuchPage = () => {
  useTitle(say("Page not found"));
  return (
    <>
      <h1 className="mb-2 text-xl font-semibold">{say("Page not found")}</h1>
      <p className="mb-3 text-muted">
        {say("There is no page at this address. It may be mistyped, or from an earlier version.")}
      </p>
      <ButtonLink to="/">{say("Go to the start page")}</ButtonLink>
    </>
  );
};

/** Shown in place of a failed page. A page of an earlier version is reloaded automatically. */
export const PageFault = ({ error }: { readonly error: unknown }) => {
  const [reloads] = useState(() => error instanceof OutdatedPage && reloadOnce());
  if (reloads) return <Waiting />;
  const known = error instanceof OutdatedPage || error instanceof ApiError;
  return (
    <>
      <h1 className="mb-2 text-xl font-semibold">{say("This page could not be shown")}</h1>
      <Fault error={known ? error : new Error(say("Something went wrong on this page. Reload the page."))} />
      <div className="flex gap-2">
        <Button look="primary" onClick={() => window.location.reload()}>
          {say("Reload")}
        </Button>
        <ButtonLink to="/">{say("Go to the start page")}</ButtonLink>
      </div>
    </>
  );
};

interface Opening {
  readonly context: { readonly queries: QueryClient };
  readonly location: { readonly href: string };
}

/**
 * Replies that began with the document were refused. The browser gives each to the next request of its address: whoever signs in
 * must not get it.
 */
const forgetReplies = (): void => {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=preload][as=fetch]")) {
    fetch(link.href).catch(() => undefined);
    link.remove();
  }
};

/** Loads the signed-in user, or redirects to the sign-in and back. */
const signedIn = async ({ context: { queries }, location: { href } }: Opening): Promise<User> => {
  const session = await queries.ensureQueryData(sessionQuery);
  if (session === null) {
    forgetReplies();
    throw redirect({ to: "/sign-in", search: href === "/" ? {} : { next: href } });
  }
  return session.user;
};

export const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: async (opening) => {
    throw redirect({ to: homeOf(await signedIn(opening)) });
  },
});

export const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  // `email` prefills the form, `failed` is why an earlier sign-in failed, `next` the page to open afterwards.
  validateSearch: texts("email", "failed", "next"),
  component: page(() => import("../pages/sign-in.js"), "SignInPage"),
});

/** Redirects users of the other side to their own pages; the service refuses them the data anyway. */
export const dashboard = createRoute({
  getParentRoute: () => root,
  path: "/dashboard",
  beforeLoad: async (opening) => {
    const user = await signedIn(opening);
    if (isOperator(user)) throw redirect({ to: "/operations" });
  },
  component: page(() => import("../shell/dashboard-shell.js"), "DashboardShell"),
});

export const operations = createRoute({
  getParentRoute: () => root,
  path: "/operations",
  beforeLoad: async (opening) => {
    const user = await signedIn(opening);
    if (!isOperator(user)) throw redirect({ to: "/dashboard" });
  },
  component: page(() => import("../shell/operations-shell.js"), "OperationsShell"),
});

/** The board for a wall, without the shell. */
export const wall = createRoute({
  getParentRoute: () => root,
  path: "/operations/wall",
  validateSearch: (search: Record<string, unknown>) => ({
    ...textOf(search, "theme"),
    // Of a drill: the dispatch, and the moment.
    ...textOf(search, "replay"),
    ...textOf(search, "at"),
    ...textOf(search, "zoom"),
  }),
  beforeLoad: async (opening) => {
    const user = await signedIn(opening);
    if (!isOperator(user)) throw redirect({ to: "/dashboard" });
  },
  component: page(() => import("../pages/operations/wall.js"), "WallPage"),
});

export const you = createRoute({
  getParentRoute: () => root,
  path: "/you",
  beforeLoad: async (opening) => void (await signedIn(opening)),
  component: page(() => import("../shell/you-shell.js"), "YouShell"),
});

export const yourself = createRoute({
  getParentRoute: () => you,
  path: "/",
  component: page(() => import("../pages/you.js"), "YouPage"),
});
