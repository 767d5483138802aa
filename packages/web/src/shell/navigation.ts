import { say } from "@curtail/words/page";
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
    label: say("Today"),
    items: [
      { to: "/operations", label: say("Board"), icon: "now" },
      { to: "/operations/dispatches", label: say("Dispatches"), icon: "dispatch" },
      {
        to: "/operations/alarms",
        label: say("Alarms"),
        icon: "alarm",
        isAtHand: true,
        waiting: alarms === null ? undefined : { count: alarms, what: say("open", {}, "alarms") },
      },
      { to: "/operations/hand-over", label: say("Hand-over"), icon: "book" },
      { to: "/operations/telemetry", label: say("Telemetry health"), icon: "health" },
      { to: "/operations/reports", label: say("Reports"), icon: "report" },
    ],
  },
  {
    label: say("Portfolio"),
    items: [
      { to: "/operations/accounts", label: say("Accounts"), icon: "account" },
      { to: "/operations/sites", label: say("Sites"), icon: "site" },
      { to: "/operations/map", label: say("Map"), icon: "map" },
      { to: "/operations/programs", label: say("Programs"), icon: "program" },
      { to: "/operations/statements", label: say("Statements"), icon: "statement" },
      { to: "/operations/openadr3", label: say("OpenADR 3"), icon: "connect" },
      { to: "/operations/onboarding", label: say("Onboarding"), icon: "checklist" },
      ...(writes ? [{ to: "/operations/import", label: say("Import"), icon: "import" } as const] : []),
    ],
  },
  {
    label: say("Administration"),
    items: [
      { to: "/operations/users", label: say("Users"), icon: "people" },
      { to: "/operations/audit", label: say("Audit log"), icon: "audit" },
    ],
  },
];

/** The participants' pages; `writes` of those who may make changes. */
export const participantNavigation = (writes: boolean): readonly NavGroup[] => [
  {
    label: say("Energy"),
    items: [
      { to: "/dashboard", label: say("Now"), icon: "now", isAtHand: true },
      { to: "/dashboard/energy", label: say("Energy"), icon: "energy", isAtHand: true },
      { to: "/dashboard/dispatches", label: say("Dispatches"), icon: "dispatch", isAtHand: true },
      { to: "/dashboard/reports", label: say("Reports"), icon: "report" },
      { to: "/dashboard/availability", label: say("Availability"), icon: "calendar", isAtHand: true },
      { to: "/dashboard/statements", label: say("Statements"), icon: "statement" },
    ],
  },
  {
    label: say("Integration"),
    items: [
      { to: "/dashboard/connect", label: say("Get connected"), icon: "connect" },
      { to: "/dashboard/sandbox", label: say("Sandbox"), icon: "checklist" },
      { to: "/dashboard/webhooks", label: say("Webhooks"), icon: "webhook" },
      { to: "/dashboard/keys", label: say("API keys"), icon: "key" },
      { to: "/dashboard/requests", label: say("Request log"), icon: "log" },
    ],
  },
  {
    label: say("Account"),
    items: [
      { to: "/dashboard/contacts", label: say("Contacts"), icon: "mail" },
      ...(writes ? [{ to: "/dashboard/users", label: say("Users"), icon: "people" } as const] : []),
    ],
  },
];

/** What is at hand on phones. */
export const atHand = (groups: readonly NavGroup[]): readonly NavItem[] =>
  groups.flatMap(({ items }) => items.filter(({ isAtHand }) => isAtHand));

/** Participants act with a thumb, so that their pages are at the foot of a phone. */
export const youAtHand = (): NavItem => ({ to: "/you", label: say("You"), icon: "you", isAtHand: true });
