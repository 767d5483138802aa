/** Keys that open a page: one, or two one after the other, such as `n` and `g b`. */
export interface PageShortcut {
  readonly keys: string;
  readonly label: string;
  /** Address that it opens. */
  readonly to: string;
}

/** The shortcuts of a side, for a role. */
export const shortcutsOf = (side: string, writes: boolean): readonly PageShortcut[] =>
  side === "/operations"
    ? [
        ...(writes ? [{ keys: "n", label: "New dispatch", to: "/operations/dispatches/new" }] : []),
        { keys: "g b", label: "Board", to: "/operations" },
        { keys: "g d", label: "Dispatches", to: "/operations/dispatches" },
        { keys: "g a", label: "Alarms", to: "/operations/alarms" },
        { keys: "g h", label: "Hand-over", to: "/operations/hand-over" },
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
