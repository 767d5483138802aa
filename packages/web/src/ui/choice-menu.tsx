import { Menu } from "@base-ui/react/menu";
import type { ReactNode } from "react";

interface Item<Value> {
  readonly value: Value;
  readonly label: string;
}

/** A button that opens a menu of which one item is chosen. */
export const ChoiceMenu = <Value extends string>({
  title,
  note,
  items,
  chosen,
  onChoose,
  children,
  className,
}: {
  readonly title: string;
  /** Below the items. */
  readonly note: ReactNode;
  readonly items: readonly Item<Value>[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
  /** Of the button. */
  readonly children: ReactNode;
  readonly className: string;
}) => (
  <Menu.Root>
    <Menu.Trigger className={className}>{children}</Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner side="bottom" align="start" sideOffset={4} collisionPadding={8} className="z-50">
        <Menu.Popup className="max-h-(--available-height) w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-xl bg-surface p-1.5 text-sm shadow-2xl ring-1 ring-line outline-none">
          <Menu.RadioGroup value={chosen} onValueChange={(value: Value) => onChoose(value)}>
            <Menu.GroupLabel className="px-2.5 pt-1 pb-1.5 font-semibold">{title}</Menu.GroupLabel>
            {items.map(({ value, label }) => (
              <Menu.RadioItem
                key={value}
                value={value}
                closeOnClick
                className="flex min-h-9 items-center gap-2 rounded-lg px-2.5 outline-none data-checked:font-medium data-highlighted:bg-accent-soft data-highlighted:text-accent"
              >
                <span className="w-4">
                  <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
                </span>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          {note !== false && <div className="border-t border-line px-2.5 pt-2 pb-1 text-xs text-muted">{note}</div>}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
);
