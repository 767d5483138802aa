import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

/** Tabs of a page. Keep the chosen one in the address, so that links can open it. */
export const Tabs = ({
  tabs,
  chosen,
  onChoose,
}: {
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) => (
  <Base.Root value={chosen} onValueChange={(id) => onChoose(String(id))}>
    <Base.List className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ id, label }) => (
        <Base.Tab
          key={id}
          value={id}
          className="min-h-10 border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted data-active:border-accent data-active:text-ink"
        >
          {label}
        </Base.Tab>
      ))}
    </Base.List>
    {tabs.map(({ id, content }) => (
      <Base.Panel key={id} value={id}>
        {id === chosen && content()}
      </Base.Panel>
    ))}
  </Base.Root>
);
