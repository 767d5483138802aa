import { renderToStaticMarkup } from "react-dom/server";
import { Frame, type FrameLink } from "../src/shell/frame.js";
import {
  atHand,
  type NavGroup,
  type NavItem,
  operatorNavigation,
  participantNavigation,
  youAtHand,
} from "../src/shell/navigation.js";

/** What is painted while the scripts of a page load. */
export const frames = {
  operators: () => renderToStaticMarkup(<FirstFrame groups={operatorNavigation(true)} tabs={[]} />),
  participants: () => {
    const groups = participantNavigation(true);
    return renderToStaticMarkup(<FirstFrame groups={groups} tabs={[...atHand(groups), youAtHand()]} />);
  },
  everybody: () => renderToStaticMarkup(<Loading />),
} as const;

/** Inert: its links would load the page a second time. */
const FirstFrame = ({ groups, tabs }: { readonly groups: readonly NavGroup[]; readonly tabs: readonly NavItem[] }) => (
  <div inert>
    <Frame groups={groups} link={PlainLink} menu={<Menu />} tabs={tabs}>
      <Loading />
    </Frame>
  </div>
);

const PlainLink = ({ to, children, ...rest }: FrameLink) => (
  <a href={to} {...rest}>
    {children}
  </a>
);

/** As high as the button that takes its place. */
const Menu = () => <span className="min-h-10" />;

const Loading = () => <div className="grid min-h-[50dvh] place-items-center p-4 text-muted">Loading…</div>;
