import { say } from "@curtail/words/page";
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
        ...(writes ? [{ keys: "n", label: say("New dispatch"), to: "/operations/dispatches/new" }] : []),
        { keys: "g b", label: say("Board"), to: "/operations" },
        { keys: "g d", label: say("Dispatches"), to: "/operations/dispatches" },
        { keys: "g a", label: say("Alarms"), to: "/operations/alarms" },
        { keys: "g h", label: say("Hand-over"), to: "/operations/hand-over" },
        { keys: "g s", label: say("Sites"), to: "/operations/sites" },
        { keys: "g m", label: say("Map"), to: "/operations/map" },
        { keys: "g c", label: say("Accounts"), to: "/operations/accounts" },
        { keys: "g p", label: say("Programs"), to: "/operations/programs" },
        { keys: "g r", label: say("Reports"), to: "/operations/reports" },
      ]
    : [
        { keys: "g n", label: say("Now"), to: "/dashboard" },
        { keys: "g d", label: say("Dispatches"), to: "/dashboard/dispatches" },
        { keys: "g e", label: say("Energy"), to: "/dashboard/energy" },
        { keys: "g v", label: say("Availability"), to: "/dashboard/availability" },
        { keys: "g r", label: say("Reports"), to: "/dashboard/reports" },
      ];
