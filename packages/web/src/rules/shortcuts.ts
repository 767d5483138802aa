/** A key, or two one after the other: `n`, `g b`. */
export interface Shortcut {
  readonly keys: string;
  readonly label: string;
  /** Address that it opens. */
  readonly to: string;
}

/** The first key of two, and when it was pressed. */
export interface Begun {
  readonly key: string;
  readonly atMs: number;
}

const PATIENCE_MS = 1500;

/** What a key does after the one before: an address to open, or the beginning of two keys. */
export const pressed = (
  shortcuts: readonly Shortcut[],
  begun: Begun | null,
  { key, atMs }: Begun,
): { readonly to: string | null; readonly begun: Begun | null } => {
  const isTimely = begun !== null && atMs - begun.atMs <= PATIENCE_MS;
  const second = isTimely ? shortcuts.find(({ keys }) => keys === `${begun.key} ${key}`) : undefined;
  const found = second ?? shortcuts.find(({ keys }) => keys === key);
  if (found !== undefined) return { to: found.to, begun: null };
  return { to: null, begun: shortcuts.some(({ keys }) => keys.startsWith(`${key} `)) ? { key, atMs } : null };
};

/** The shortcuts of a side, for a role. */
export const shortcutsOf = (side: string, writes: boolean): readonly Shortcut[] =>
  side === "/operations"
    ? [
        ...(writes ? [{ keys: "n", label: "New dispatch", to: "/operations/dispatches/new" }] : []),
        { keys: "g b", label: "Board", to: "/operations" },
        { keys: "g d", label: "Dispatches", to: "/operations/dispatches" },
        { keys: "g a", label: "Alarms", to: "/operations/alarms" },
        { keys: "g s", label: "Sites", to: "/operations/sites" },
        { keys: "g c", label: "Accounts", to: "/operations/accounts" },
        { keys: "g p", label: "Programs", to: "/operations/programs" },
        { keys: "g r", label: "Reports", to: "/operations/reports" },
      ]
    : [
        { keys: "g n", label: "Now", to: "/dashboard" },
        { keys: "g d", label: "Dispatches", to: "/dashboard/dispatches" },
        { keys: "g e", label: "Energy", to: "/dashboard/energy" },
        { keys: "g v", label: "Availability", to: "/dashboard/availability" },
        { keys: "g r", label: "Reports", to: "/dashboard/reports" },
      ];
