import { Menu } from "@base-ui/react/menu";
import { Fragment, type ReactNode } from "react";

export interface MenuAction {
  readonly label: string;
  readonly run: () => void;
}

/** Actions under a heading. */
export interface MenuPart {
  readonly title?: string;
  readonly actions: readonly MenuAction[];
}

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
}) => (
  <Menu.Root>
    <Menu.Trigger
      aria-label={name}
      className="inline-flex min-h-9 min-w-9 items-center justify-center rounded-lg px-2 text-sm font-medium ring-1 ring-inset ring-line hover:bg-sunken"
    >
      {children}
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner side="bottom" align="end" sideOffset={4} collisionPadding={8} className="z-50">
        <Menu.Popup className="max-h-(--available-height) w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-xl bg-surface p-1.5 text-sm shadow-2xl ring-1 ring-line outline-none">
          {parts.map(({ title, actions }, index) => (
            <Fragment key={title ?? index}>
              {index > 0 && <Menu.Separator className="my-1 border-t border-line" />}
              <Menu.Group>
                {title !== undefined && (
                  <Menu.GroupLabel className="px-2.5 pt-1 pb-1.5 text-muted">{title}</Menu.GroupLabel>
                )}
                {actions.map(({ label, run }) => (
                  <Menu.Item
                    key={label}
                    onClick={run}
                    className="flex min-h-9 cursor-pointer items-center rounded-lg px-2.5 outline-none data-highlighted:bg-accent-soft data-highlighted:text-accent"
                  >
                    {label}
                  </Menu.Item>
                ))}
              </Menu.Group>
            </Fragment>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
);
