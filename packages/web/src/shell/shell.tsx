import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { type User, useSignOut } from "../api/session.js";
import { OWN_ZONE } from "../format/time.js";
import { LiveMark } from "../live/live-mark.js";
import { useChanges } from "../live/use-changes.js";
import { useLoadAhead } from "../routes/load-ahead.js";
import { Button } from "../ui/button.js";
import { Icon, type IconName } from "../ui/icon.js";
import { useConnected } from "../ui/use-connected.js";
import { ThemeChoice } from "./theme-choice.js";
import { usePush } from "./use-push.js";

export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
}

export interface NavGroup {
  readonly label: string;
  readonly items: readonly NavItem[];
}

/** The frame of all pages behind the sign-in: navigation, user, and whether the data is live. */
export const Shell = ({
  base,
  side,
  user,
  groups,
}: {
  readonly base: string;
  /** Common prefix of the addresses of the pages. */
  readonly side: string;
  readonly user: User;
  readonly groups: readonly NavGroup[];
}) => {
  const state = useChanges(base);
  useLoadAhead(side);
  usePush();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // On phones the menu is open on one address, so that navigation closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === path;
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_1fr]">
      <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:z-50 focus:bg-surface focus:p-3">
        Skip to content
      </a>
      <header className="sticky top-0 z-30 flex items-center justify-between gap-3 border-b border-line bg-surface px-4 py-2 lg:hidden">
        <Brand />
        <Button aria-expanded={open} aria-controls="navigation" onClick={() => setOpenAt(open ? null : path)}>
          <Icon name="menu" /> Menu
        </Button>
      </header>
      <nav
        id="navigation"
        aria-label="Main"
        className={`border-r border-line bg-surface lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:overflow-y-auto ${open ? "" : "max-lg:hidden"}`}
      >
        <div className="px-4 pt-4 pb-2 max-lg:hidden">
          <Brand />
        </div>
        {groups.map((group) => (
          <Group key={group.label} group={group} />
        ))}
        <Foot user={user} />
      </nav>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-1 px-4 pt-3 sm:px-6">
          <Opening />
          <LiveMark state={state} />
        </div>
        <main id="content" className="mx-auto max-w-[110rem] px-4 pt-1 pb-16 sm:px-6">
          <Outlet />
          <p className="mt-6 text-sm text-muted">
            Your time zone is {OWN_ZONE}. Times of sites and programs are shown in their own time zone.
          </p>
        </main>
      </div>
    </div>
  );
};

/** Shows that a click was registered, while the open page stays until the next one is ready. */
const Opening = () => {
  const isOpening = useRouterState({ select: ({ isLoading }) => isLoading });
  const connected = useConnected();
  if (!isOpening) return null;
  return (
    <span role="status" className="text-sm text-muted appears-late">
      {connected ? "Opening the page…" : "Not connected. Retrying: the page opens when the service responds."}
    </span>
  );
};

const Brand = () => (
  <Link to="/" className="flex items-center gap-2 text-lg font-semibold tracking-tight">
    <img src="/icon.svg" alt="" className="size-7" />
    Curtail
  </Link>
);

const linkShape = "flex min-h-9 items-center gap-2.5 rounded-lg px-3 py-1.5 text-muted hover:bg-sunken hover:text-ink";

const Group = ({ group: { label, items } }: { readonly group: NavGroup }) => (
  <div className="px-2 py-2">
    <div className="px-3 pb-1 text-xs font-medium tracking-wide text-muted uppercase">{label}</div>
    <ul>
      {items.map(({ to, label: name, icon }) => (
        <li key={to}>
          <Link
            to={to}
            // The address of a side's first page is a prefix of all others.
            activeOptions={{ exact: to.split("/").length === 2 }}
            activeProps={{ className: "bg-accent-soft !text-accent font-medium", "aria-current": "page" }}
            className={linkShape}
          >
            <Icon name={icon} /> {name}
          </Link>
        </li>
      ))}
    </ul>
  </div>
);

const Foot = ({ user }: { readonly user: User }) => {
  const signOut = useSignOut();
  return (
    <div className="mt-auto border-t border-line p-3">
      <ThemeChoice />
      <Link to="/you" className={`${linkShape} mt-1 min-w-0`} activeProps={{ "aria-current": "page" }}>
        <Icon name="you" />
        <span className="min-w-0">
          <span className="block truncate text-ink">{user.name}</span>
          <span className="block truncate text-xs">{user.role}</span>
        </span>
      </Link>
      <div className="mt-1">
        <Button look="quiet" onClick={() => void signOut()}>
          Sign out
        </Button>
      </div>
    </div>
  );
};
