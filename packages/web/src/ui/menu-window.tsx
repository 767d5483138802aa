import { Menu } from "@base-ui/react/menu";
import { Fragment } from "react";
import type { MenuPart } from "./action-menu.js";

/** The open menu of a button. */
export const MenuWindow = ({
  anchor,
  parts,
  onClose,
}: {
  readonly anchor: HTMLElement;
  readonly parts: readonly MenuPart[];
  readonly onClose: () => void;
}) => (
  <Menu.Root open onOpenChange={(next) => !next && onClose()}>
    <Menu.Portal>
      <Menu.Positioner anchor={anchor} side="bottom" align="end" sideOffset={4} collisionPadding={8} className="z-50">
        <Menu.Popup
          finalFocus={{ current: anchor }}
          className="max-h-(--available-height) w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-xl bg-surface p-1.5 text-sm shadow-2xl ring-1 ring-line outline-none"
        >
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
