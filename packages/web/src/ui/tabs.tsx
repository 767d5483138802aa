import { type KeyboardEvent, type ReactNode, useId } from "react";

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

/**
 * Tabs of a page. Keep the chosen one in the address, so that links can open it and Back leads to the one before; the
 * first one is shown for a link to one that is no more.
 */
export const Tabs = ({
  tabs,
  chosen,
  onChoose,
}: {
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) => {
  const prefix = useId();
  const shown = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  return (
    <>
      <div role="tablist" className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}${id}`}
            aria-selected={id === shown?.id}
            aria-controls={`${prefix}panel`}
            tabIndex={id === shown?.id ? 0 : -1}
            onKeyDown={moveFocus}
            onClick={() => id !== shown?.id && onChoose(id)}
            className={`min-h-10 border-b-2 px-3 text-sm font-medium whitespace-nowrap ${id === shown?.id ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink"}`}
          >
            {label}
          </button>
        ))}
      </div>
      <div key={shown?.id} role="tabpanel" id={`${prefix}panel`} aria-labelledby={shown && `${prefix}${shown.id}`}>
        {shown?.content()}
      </div>
    </>
  );
};

/** Arrow keys, Home and End lead from tab to tab; Enter or Space opens one. */
const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
  const tabs = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
  const from = tabs.findIndex((tab) => tab === document.activeElement);
  const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  tabs.at(to % tabs.length)?.focus();
};
