/** What a key does on a chart. */
export type ChartKey =
  | { readonly does: "move"; readonly by: number }
  | { readonly does: "first" | "last" | "zoom in" | "zoom out" | "leave" };

interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const FAR = 10;

const others: Readonly<Record<string, ChartKey>> = {
  PageUp: { does: "move", by: -FAR },
  PageDown: { does: "move", by: FAR },
  Home: { does: "first" },
  End: { does: "last" },
  "+": { does: "zoom in" },
  "=": { does: "zoom in" },
  "-": { does: "zoom out" },
  Escape: { does: "leave" },
};

/** null: the key belongs to the browser or the page. */
export const chartKey = ({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed): ChartKey | null => {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === "ArrowLeft" || key === "ArrowDown") return { does: "move", by: shiftKey ? -FAR : -1 };
  if (key === "ArrowRight" || key === "ArrowUp") return { does: "move", by: shiftKey ? FAR : 1 };
  return others[key] ?? null;
};

/** The index that a movement leads to, within the visible ones; without a cursor, the last visible one. */
export const movedIndex = (
  from: number | null,
  by: number,
  [first, last]: readonly [first: number, last: number],
): number => (from === null ? last : Math.min(last, Math.max(first, from + by)));
