import type { IconName } from "../ui/icon.js";

export interface NavItem {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** What waits there, for example `2` open alarms. */
  readonly waiting?: { readonly count: string; readonly what: string } | undefined;
  /** Also where a thumb reaches it on a phone: at the top for operators, at the foot for participants. */
  readonly isAtHand?: true;
}

export interface NavGroup {
  readonly label: string;
  readonly items: readonly NavItem[];
}

/** The operators' pages; `writes` of those who may make changes, `alarms` the number of open ones. */
export const operatorNavigation = (writes: boolean, alarms: string | null = null): readonly NavGroup[] => [
  {
    label: "Today",
    items: [
      { to: "/operations", label: "Board", icon: "now" },
      { to: "/operations/dispatches", label: "Dispatches", icon: "dispatch" },
      {
        to: "/operations/alarms",
        label: "Alarms",
        icon: "alarm",
        isAtHand: true,
        waiting: alarms === null ? undefined : { count: alarms, what: "open" },
      },
      { to: "/operations/hand-over", label: "Hand-over", icon: "book" },
      { to: "/operations/telemetry", label: "Telemetry health", icon: "health" },
      { to: "/operations/reports", label: "Reports", icon: "report" },
    ],
  },
  {
    label: "Portfolio",
    items: [
      { to: "/operations/accounts", label: "Accounts", icon: "account" },
      { to: "/operations/sites", label: "Sites", icon: "site" },
      { to: "/operations/programs", label: "Programs", icon: "program" },
      { to: "/operations/statements", label: "Statements", icon: "statement" },
      { to: "/operations/openadr3", label: "OpenADR 3", icon: "connect" },
      { to: "/operations/onboarding", label: "Onboarding", icon: "checklist" },
      ...(writes ? [{ to: "/operations/import", label: "Import", icon: "import" } as const] : []),
    ],
  },
  {
    label: "Administration",
    items: [
      { to: "/operations/users", label: "Users", icon: "people" },
      { to: "/operations/audit", label: "Audit log", icon: "audit" },
    ],
  },
];

/** The participants' pages; `writes` of those who may make changes. */
export const participantNavigation = (writes: boolean): readonly NavGroup[] => [
  {
    label: "Energy",
    items: [
      { to: "/dashboard", label: "Now", icon: "now", isAtHand: true },
      { to: "/dashboard/energy", label: "Energy", icon: "energy", isAtHand: true },
      { to: "/dashboard/dispatches", label: "Dispatches", icon: "dispatch", isAtHand: true },
      { to: "/dashboard/reports", label: "Reports", icon: "report" },
      { to: "/dashboard/availability", label: "Availability", icon: "calendar", isAtHand: true },
      { to: "/dashboard/statements", label: "Statements", icon: "statement" },
    ],
  },
  {
    label: "Integration",
    items: [
      { to: "/dashboard/connect", label: "Get connected", icon: "connect" },
      { to: "/dashboard/sandbox", label: "Sandbox", icon: "checklist" },
      { to: "/dashboard/webhooks", label: "Webhooks", icon: "webhook" },
      { to: "/dashboard/keys", label: "API keys", icon: "key" },
      { to: "/dashboard/requests", label: "Request log", icon: "log" },
    ],
  },
  {
    label: "Account",
    items: [
      { to: "/dashboard/contacts", label: "Contacts", icon: "mail" },
      ...(writes ? [{ to: "/dashboard/users", label: "Users", icon: "people" } as const] : []),
    ],
  },
];

/** What is at hand on phones. */
export const atHand = (groups: readonly NavGroup[]): readonly NavItem[] =>
  groups.flatMap(({ items }) => items.filter(({ isAtHand }) => isAtHand));

/** Participants act with a thumb, so that their pages are at the foot of a phone. */
export const YOU_AT_HAND: NavItem = { to: "/you", label: "You", icon: "you", isAtHand: true };
