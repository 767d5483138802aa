import { say } from "@curtail/words/page";
import { Link, Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { type User, useSignOut } from "../api/session.js";
import { useFinding } from "../finding/use-finding.js";
import { LiveMark } from "../live/live-mark.js";
import { useChanges } from "../live/use-changes.js";
import { roleWords } from "../parts/role-words.js";
import { useLoadAhead } from "../routes/load-ahead.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { KeyLine } from "../ui/keys.js";
import { useHasOwnMark } from "../ui/own-mark.js";
import { WithZoneNamed } from "../ui/page-zone.js";
import { sayParts } from "../ui/say-parts.js";
import { useConnected } from "../ui/use-connected.js";
import { BrandFoot, PrintHead } from "./brand-foot.js";
import { Frame, type FrameLink, navLinkShape, wide } from "./frame.js";
import type { NavGroup, NavItem } from "./navigation.js";
import { Offers } from "./offers.js";
import { OldNumbers, useStaleness } from "./stale.js";
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
  tabs = [],
}: {
  readonly base: string;
  /** Common prefix of the addresses of the pages. */
  readonly side: string;
  readonly user: User;
  readonly groups: readonly NavGroup[];
  readonly writes: boolean;
  /** What is said above every page. */
  readonly banner?: ReactNode;
  /** Pages at the foot of a phone. */
  readonly tabs?: readonly NavItem[];
}) => {
  const state = useChanges(base);
  const staleness = useStaleness(state);
  const hasOwnMark = useHasOwnMark();
  useLoadAhead(side);
  usePush();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isOpen, setOpen] = useMenu();
  const finding = useFinding({ side, groups, writes, userId: user.id });
  return (
    <Frame
      groups={groups}
      link={NavLink}
      open={isOpen}
      onSearch={finding.search}
      menu={
        <Button aria-expanded={isOpen} aria-controls="navigation" onClick={() => setOpen(!isOpen)}>
          <Icon name="menu" /> <span className="sr-only">{say("Menu")}</span>
        </Button>
      }
      mark={typeof state !== "object" && !hasOwnMark && <LiveMark state={state} />}
      foot={<Foot user={user} />}
      tabs={tabs}
    >
      {banner}
      <OldNumbers state={state} />
      {/* Below the banners, whose links it must not cover. */}
      <div className="relative">
        {/* A lost connection is said in a line of its own, as long as it lasts. */}
        <div
          className={`flex flex-wrap items-center justify-end gap-x-4 gap-y-1 px-3 md:px-4 xl:px-6 print:hidden ${typeof state === "object" ? "pt-2" : "md:absolute md:top-3 md:right-0 md:z-10"}`}
        >
          <Opening />
          <span className={typeof state === "object" ? "" : hasOwnMark ? "sr-only" : "max-md:hidden"}>
            <LiveMark state={state} />
          </span>
        </div>
        <main
          id="content"
          data-stale={staleness === "recent" ? undefined : ""}
          className="max-w-[110rem] px-3 pt-3 pb-10 md:px-4 xl:px-6 print:max-w-none print:p-0"
        >
          <PrintHead />
          <WithZoneNamed>
            <div className="flex flex-col">
              {path === side && <Offers />}
              <div className="min-w-0">
                <Outlet />
              </div>
            </div>
          </WithZoneNamed>
          <KeyLine />
          <BrandFoot className="page-foot mt-4" />
        </main>
      </div>
      {finding.dialogs}
    </Frame>
  );
};

/** The navigation of phones, which each step in the history closes, and a link to the open page. */
const useMenu = () => {
  const { history } = useRouter();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const close = () => setOpen(false);
    const press = ({ target }: MouseEvent) => target instanceof Element && target.closest("#navigation a") && close();
    const stop = history.subscribe(close);
    document.addEventListener("click", press);
    return () => {
      stop();
      document.removeEventListener("click", press);
    };
  }, [history]);
  return [isOpen, setOpen] as const;
};

const NavLink = ({ to, children, ...rest }: FrameLink) => (
  <Link
    {...rest}
    to={to}
    // The address of a side's first page is a prefix of all others.
    activeOptions={{ exact: to.split("/").length === 2 }}
    activeProps={{ className: "bg-accent-soft !text-accent font-medium", "aria-current": "page" }}
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
      {connected ? say("Opening the page…") : say("Not connected. Retrying: the page opens when the service responds.")}
    </span>
  );
};

const Foot = ({ user }: { readonly user: User }) => {
  const signOut = useSignOut();
  return (
    <div className="mt-auto max-md:border-t max-md:border-line max-md:p-2 md:pt-2">
      <div className="mx-1 mb-1 md:max-xl:hidden">
        <ThemeChoice />
      </div>
      <Link to="/you" title={user.name} className={`${navLinkShape} min-w-0`} activeProps={{ "aria-current": "page" }}>
        <Icon name="you" />
        <span className={`min-w-0 ${wide}`}>
          <span className="block truncate text-ink">{user.name}</span>
          <span className="block truncate text-xs">{roleWords[user.role]}</span>
        </span>
      </Link>
      <a href="/docs/index.html" target="_blank" rel="noreferrer" title={say("Documentation")} className={navLinkShape}>
        <Icon name="book" />{" "}
        <span className={wide}>
          {sayParts("Documentation<aloud>, in a new tab</aloud>", {
            aloud: (inside) => <span className="sr-only">{inside}</span>,
          })}
        </span>
      </a>
      <button
        type="button"
        title={say("Sign out")}
        className={`${navLinkShape} w-full text-left`}
        onClick={() => void signOut()}
      >
        <Icon name="leave" /> <span className={wide}>{say("Sign out")}</span>
      </button>
    </div>
  );
};
