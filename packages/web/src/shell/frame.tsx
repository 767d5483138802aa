import type { ComponentType, ReactNode } from "react";
import { Icon } from "../ui/icon.js";
import type { NavGroup } from "./navigation.js";

export interface FrameLink {
  readonly to: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** Where the parts of a page behind the sign-in are. The HTML of a first load has the same frame before any script runs. */
export const Frame = ({
  groups,
  link: FrameLink,
  menu,
  open = false,
  onSearch,
  foot,
  children,
}: {
  readonly groups: readonly NavGroup[];
  /** A link of the navigation; `aria-current` marks that of the open page. */
  readonly link: ComponentType<FrameLink>;
  /** Opens the navigation on phones. */
  readonly menu: ReactNode;
  readonly open?: boolean;
  /** Opens the search; without it, its buttons only take their places. */
  readonly onSearch?: () => void;
  /** Below the navigation. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}) => (
  <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_1fr] print:block">
    <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:z-50 focus:bg-surface focus:p-3">
      Skip to content
    </a>
    <header className="sticky top-0 z-30 flex items-center justify-between gap-3 border-b border-line bg-surface px-4 py-2 lg:hidden print:hidden">
      <Brand link={FrameLink} />
      <div className="ml-auto">
        <SearchButton onClick={onSearch} />
      </div>
      {menu}
    </header>
    <nav
      id="navigation"
      aria-label="Main"
      className={`border-r border-line bg-surface lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:overflow-y-auto print:hidden ${open ? "" : "max-lg:hidden"}`}
    >
      <div className="px-4 pt-4 pb-2 max-lg:hidden">
        <Brand link={FrameLink} />
      </div>
      <div className="px-2 pt-1 pb-1 max-lg:hidden">
        <SearchButton onClick={onSearch} />
      </div>
      {groups.map((group) => (
        <Group key={group.label} group={group} link={FrameLink} />
      ))}
      {foot}
    </nav>
    <div className="min-w-0">{children}</div>
  </div>
);

const SearchButton = ({ onClick }: { readonly onClick: (() => void) | undefined }) => (
  <button
    type="button"
    aria-keyshortcuts="Control+K Meta+K"
    onClick={onClick}
    className="flex min-h-9 w-full items-center gap-2.5 rounded-lg px-3 py-1.5 text-left text-muted ring-1 ring-line ring-inset hover:bg-sunken hover:text-ink"
  >
    <Icon name="search" />
    <span className="flex-1 max-lg:sr-only">Search</span>
    <kbd aria-hidden="true" className="font-sans text-xs max-lg:hidden">
      Ctrl K
    </kbd>
  </button>
);

const Brand = ({ link: BrandLink }: { readonly link: ComponentType<FrameLink> }) => (
  <BrandLink to="/" className="flex items-center gap-2 text-lg font-semibold tracking-tight">
    <img src="/icon.svg" alt="" className="size-7" />
    Curtail
  </BrandLink>
);

export const navLinkShape =
  "flex min-h-9 items-center gap-2.5 rounded-lg px-3 py-1.5 text-muted hover:bg-sunken hover:text-ink";

const Group = ({
  group: { label, items },
  link: GroupLink,
}: {
  readonly group: NavGroup;
  readonly link: ComponentType<FrameLink>;
}) => (
  <div className="px-2 py-2">
    <div className="px-3 pb-1 text-xs font-medium tracking-wide text-muted uppercase">{label}</div>
    <ul>
      {items.map(({ to, label: name, icon, waiting }) => (
        <li key={to}>
          <GroupLink to={to} className={navLinkShape}>
            <Icon name={icon} /> {name}
            {waiting !== undefined && (
              <span className="ml-auto rounded-full bg-bad-soft px-2 text-xs font-medium text-bad">
                {waiting.count}
                <span className="sr-only"> {waiting.what}</span>
              </span>
            )}
          </GroupLink>
        </li>
      ))}
    </ul>
  </div>
);
