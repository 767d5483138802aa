import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type User, useSignOut } from "../api/session.js";
import { useFinding } from "../finding/use-finding.js";
import { LiveMark } from "../live/live-mark.js";
import { useChanges } from "../live/use-changes.js";
import { useLoadAhead } from "../routes/load-ahead.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { KeyLine } from "../ui/keys.js";
import { WithZoneNamed } from "../ui/page-zone.js";
import { useConnected } from "../ui/use-connected.js";
import { AuthenticatorOffer } from "./authenticator-offer.js";
import { Frame, type FrameLink, navLinkShape } from "./frame.js";
import type { NavGroup } from "./navigation.js";
import { ThemeChoice } from "./theme-choice.js";
import { usePush } from "./use-push.js";

/** The frame of all pages behind the sign-in: navigation, user, and whether the data is live. */
export const Shell = ({
  base,
  side,
  user,
  groups,
  writes,
  banner,
}: {
  readonly base: string;
  /** Common prefix of the addresses of the pages. */
  readonly side: string;
  readonly user: User;
  readonly groups: readonly NavGroup[];
  readonly writes: boolean;
  /** What is said above every page. */
  readonly banner?: ReactNode;
}) => {
  const state = useChanges(base);
  useLoadAhead(side);
  usePush();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // On phones the menu is open on one address, so that navigation closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === path;
  const finding = useFinding({ side, groups, writes, userId: user.id });
  return (
    <Frame
      groups={groups}
      link={NavLink}
      open={open}
      onSearch={finding.search}
      menu={
        <Button aria-expanded={open} aria-controls="navigation" onClick={() => setOpenAt(open ? null : path)}>
          <Icon name="menu" /> Menu
        </Button>
      }
      foot={<Foot user={user} />}
    >
      {banner}
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-1 px-4 pt-3 sm:px-6 print:hidden">
        <Opening />
        <LiveMark state={state} />
      </div>
      <main id="content" className="mx-auto max-w-[110rem] px-4 pt-1 pb-16 sm:px-6 print:max-w-none print:p-0">
        <WithZoneNamed>
          <div className="flex flex-col">
            {path === side && <AuthenticatorOffer />}
            <div className="min-w-0">
              <Outlet />
            </div>
          </div>
        </WithZoneNamed>
        <KeyLine />
      </main>
      {finding.dialogs}
    </Frame>
  );
};

const NavLink = ({ to, className, children }: FrameLink) => (
  <Link
    to={to}
    // The address of a side's first page is a prefix of all others.
    activeOptions={{ exact: to.split("/").length === 2 }}
    activeProps={{ className: "bg-accent-soft !text-accent font-medium", "aria-current": "page" }}
    className={className}
  >
    {children}
  </Link>
);

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

const Foot = ({ user }: { readonly user: User }) => {
  const signOut = useSignOut();
  return (
    <div className="mt-auto border-t border-line p-3">
      <ThemeChoice />
      <Link to="/you" className={`${navLinkShape} mt-1 min-w-0`} activeProps={{ "aria-current": "page" }}>
        <Icon name="you" />
        <span className="min-w-0">
          <span className="block truncate text-ink">{user.name}</span>
          <span className="block truncate text-xs">{user.role}</span>
        </span>
      </Link>
      <a href="/docs/index.html" target="_blank" rel="noreferrer" className={navLinkShape}>
        <Icon name="book" /> Documentation
        <span className="sr-only">, in a new tab</span>
      </a>
      <div className="mt-1">
        <Button look="quiet" onClick={() => void signOut()}>
          Sign out
        </Button>
      </div>
    </div>
  );
};
