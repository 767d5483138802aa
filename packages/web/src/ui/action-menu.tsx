import { lazy, type ReactNode, Suspense, useState } from "react";
import { loaded } from "./load-code.js";

interface MenuAction {
  readonly label: string;
  readonly run: () => void;
}

/** Actions under a heading. */
export interface MenuPart {
  readonly title?: string;
  readonly actions: readonly MenuAction[];
}

/** Loaded when a pointer or the focus comes near, so that a first page comes sooner. */
const loadMenu = () => loaded(() => import("./menu-window.js"));

const MenuWindow = lazy(async () => ({ default: (await loadMenu()).MenuWindow }));

const prepare = (): void => void loadMenu().catch(() => undefined);

/** A button that opens a menu of actions. */
export const ActionMenu = ({
  name,
  parts,
  children = "⋯",
}: {
  /** Of the button, for screen readers. */
  readonly name: string;
  readonly parts: readonly MenuPart[];
  readonly children?: ReactNode;
}) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        type="button"
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        className="inline-flex min-h-9 min-w-9 items-center justify-center rounded-lg px-2 text-sm font-medium ring-1 ring-inset ring-line hover:bg-sunken"
      >
        {children}
      </button>
      {anchor !== null && (
        <Suspense>
          <MenuWindow anchor={anchor} parts={parts} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
};
