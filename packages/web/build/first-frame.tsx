import { renderToStaticMarkup } from "react-dom/server";
import { Frame, type FrameLink } from "../src/shell/frame.js";
import { type NavGroup, operatorNavigation, participantNavigation } from "../src/shell/navigation.js";

/** What is painted while the scripts of a page load. */
export const frames = {
  operators: () => renderToStaticMarkup(<FirstFrame groups={operatorNavigation(true)} />),
  participants: () => renderToStaticMarkup(<FirstFrame groups={participantNavigation(true)} />),
  everybody: () => renderToStaticMarkup(<Loading />),
} as const;

/** Inert: its links would load the page a second time. */
const FirstFrame = ({ groups }: { readonly groups: readonly NavGroup[] }) => (
  <div inert>
    <Frame groups={groups} link={PlainLink} menu={<Menu />}>
      <Loading />
    </Frame>
  </div>
);

const PlainLink = ({ to, className, children }: FrameLink) => (
  <a href={to} className={className}>
    {children}
  </a>
);

/** As high as the button that takes its place. */
const Menu = () => <span className="min-h-9" />;

const Loading = () => <div className="grid min-h-[50dvh] place-items-center p-4 text-muted">Loading…</div>;
