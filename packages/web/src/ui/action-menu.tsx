import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
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
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const prepare = () => void loadMenu().catch(() => undefined);
  return (
    <>
      <button
        type="button"
        ref={button}
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(true)}
        className="inline-flex min-h-9 min-w-9 items-center justify-center rounded-lg px-2 text-sm font-medium ring-1 ring-inset ring-line hover:bg-sunken"
      >
        {children}
      </button>
      {open && button.current !== null && (
        <Suspense>
          <MenuWindow anchor={button.current} parts={parts} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
