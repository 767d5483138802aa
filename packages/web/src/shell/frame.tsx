import { say } from "@curtail/words/page";
import type { ComponentType, ReactNode } from "react";
import { brand } from "../ui/brand.js";
import { Icon } from "../ui/icon.js";
import { atHand, type NavGroup, type NavItem } from "./navigation.js";

export interface FrameLink {
  readonly to: string;
  readonly className: string;
  /** Tooltip, and the name where only an icon is shown. */
  readonly title?: string;
  readonly children: ReactNode;
}

type FrameLinks = ComponentType<FrameLink>;

interface Framed {
  readonly groups: readonly NavGroup[];
  /** A link of the navigation; `aria-current` marks that of the open page. */
  readonly link: FrameLinks;
  /** Opens the navigation on phones. */
  readonly menu: ReactNode;
  readonly open?: boolean;
  /** Opens the search; without it, its buttons only take their places. */
  readonly onSearch?: () => void;
  /** Whether the data is live. */
  readonly mark?: ReactNode;
  /** Below the navigation. */
  readonly foot?: ReactNode;
  /** Pages at the foot of a phone. */
  readonly tabs?: readonly NavItem[];
  readonly children: ReactNode;
}

/**
 * Where the parts of a page behind the sign-in are: a navigation of 224 px, a rail of icons on tablets, a bar at the top of
 * phones. The HTML of a first load has the same frame before any script runs.
 */
export const Frame = ({ groups, link, menu, open = false, onSearch, mark, foot, tabs = [], children }: Framed) => (
  <div className="min-h-dvh md:grid md:grid-cols-[60px_minmax(0,1fr)] xl:grid-cols-[224px_minmax(0,1fr)] print:block">
    <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:z-50 focus:bg-surface focus:p-3">
      {say("Skip to content")}
    </a>
    <header className="sticky top-0 z-30 flex items-center gap-2.5 border-b border-line bg-surface px-3 py-1.5 md:hidden print:hidden">
      <Brand link={link} />
      <div className="ml-auto flex min-w-0 items-center justify-end">{mark}</div> <SearchButton onClick={onSearch} />{" "}
      {tabs.length === 0 && atHand(groups).map((item) => <BarLink key={item.to} item={item} link={link} />)}
      {menu}
    </header>
    <nav
      id="navigation"
      aria-label={say("Main")}
      className={`border-r border-line bg-surface md:sticky md:top-0 md:flex md:h-dvh md:flex-col md:overflow-y-auto md:px-2 md:pt-3.5 md:pb-2.5 print:hidden ${open ? "" : "max-md:hidden"}`}
    >
      <div className="px-2 pb-2.5 max-md:hidden">
        <Brand link={link} />
      </div>
      <div className="max-md:hidden">
        <SearchButton onClick={onSearch} />
      </div>
      {groups.map((group) => (
        <Group key={group.label} group={group} link={link} />
      ))}
      {foot}
    </nav>
    <div className={`relative min-w-0 max-md:[--table-top:53px] ${tabs.length > 0 ? "max-md:pb-16" : ""}`}>
      {children}
    </div>
    {tabs.length > 0 && <Tabs tabs={tabs} link={link} />}
  </div>
);

/** Hidden on the rail of tablets, where the tooltip has the name. */
export const wide = "md:max-xl:sr-only";

const SearchButton = ({ onClick }: { readonly onClick: (() => void) | undefined }) => (
  <button
    type="button"
    title={say("Search or act (Ctrl K)")}
    aria-keyshortcuts="Control+K Meta+K"
    onClick={onClick}
    className="flex min-h-10 w-full items-center gap-2.5 rounded-lg px-3 py-1 text-left text-sm text-muted ring-1 ring-line ring-inset hover:bg-sunken hover:text-ink max-md:w-auto md:min-h-9"
  >
    <Icon name="search" />
    <span className="flex-1 whitespace-nowrap max-xl:sr-only">{say("Search")}</span>
    <kbd aria-hidden="true" className="rounded border border-line px-1.5 py-0.5 font-sans text-xs max-xl:hidden">
      Ctrl K
    </kbd>
  </button>
);

/** A name of forty letters takes two lines, and never pushes the menu of a phone out. */
const brandText = "line-clamp-2 min-w-0 wrap-anywhere";

const Brand = ({ link: BrandLink }: { readonly link: FrameLinks }) => (
  <BrandLink
    to="/"
    title={brand.name}
    className="flex min-w-0 items-center gap-2 text-lg leading-tight font-semibold tracking-tight"
  >
    <img src={brand.logo} alt="" className="size-7 shrink-0 object-contain" />
    <span className={`${brandText} ${wide}`}>{brand.name}</span>
  </BrandLink>
);

export const navLinkShape =
  "relative flex min-h-10 items-center gap-2.5 rounded-lg px-3 py-1 text-muted hover:bg-sunken hover:text-ink md:min-h-[34px]";

const Group = ({
  group: { label, items },
  link: GroupLink,
}: {
  readonly group: NavGroup;
  readonly link: FrameLinks;
}) => (
  <div className="max-md:px-2 max-md:py-1">
    <div className="px-3 pt-2.5 pb-1 text-xs font-medium text-muted md:max-xl:mx-2 md:max-xl:mt-1 md:max-xl:mb-2 md:max-xl:border-b md:max-xl:border-line md:max-xl:p-0">
      <span className={wide}>{label}</span>
    </div>
    <ul>
      {items.map(({ to, label: name, icon, waiting }) => (
        <li key={to}>
          <GroupLink to={to} title={name} className={navLinkShape}>
            <Icon name={icon} /> <span className={wide}>{name}</span>
            {waiting !== undefined && <Waiting waiting={waiting} />}
          </GroupLink>
        </li>
      ))}
    </ul>
  </div>
);

const Waiting = ({ waiting: { count, what } }: { readonly waiting: NonNullable<NavItem["waiting"]> }) => (
  <span className="ml-auto rounded-full bg-bad-soft px-2 text-xs font-semibold text-bad md:max-xl:absolute md:max-xl:-top-0.5 md:max-xl:right-0 md:max-xl:px-1">
    {count}
    <span className="sr-only"> {what}</span>
  </span>
);

/** In the bar at the top of a phone. */
const BarLink = ({
  item: { to, label, icon, waiting },
  link: Link,
}: {
  readonly item: NavItem;
  readonly link: FrameLinks;
}) => (
  <Link
    to={to}
    title={label}
    className="flex min-h-10 items-center gap-1.5 rounded-lg px-2.5 text-muted ring-1 ring-line ring-inset"
  >
    <Icon name={icon} />
    <span className="sr-only">{label}</span>
    {waiting !== undefined && (
      <b className="font-semibold text-bad">
        {waiting.count}
        <span className="sr-only"> {waiting.what}</span>
      </b>
    )}
  </Link>
);

const Tabs = ({ tabs, link: TabLink }: { readonly tabs: readonly NavItem[]; readonly link: FrameLinks }) => (
  <nav
    aria-label={say("At hand")}
    className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
  >
    {tabs.map(({ to, label, icon }) => (
      <TabLink
        key={to}
        to={to}
        className="flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-muted"
      >
        <Icon name={icon} />
        {label}
      </TabLink>
    ))}
  </nav>
);
