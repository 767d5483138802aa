import { OPERATOR } from "../api/call.js";
import { useUser } from "../api/session.js";
import { useOperatorList } from "../api/use-call.js";
import { mayWrite } from "../rules/role.js";
import { useWaitingInTitle } from "../ui/use-title.js";
import type { NavGroup } from "./nav.js";
import { Shell } from "./shell.js";

const groups = (writes: boolean, alarms: string | null): readonly NavGroup[] => [
  {
    label: "Today",
    items: [
      { to: "/operations", label: "Board", icon: "now" },
      { to: "/operations/dispatches", label: "Dispatches", icon: "dispatch" },
      {
        to: "/operations/alarms",
        label: "Alarms",
        icon: "alarm",
        waiting: alarms === null ? undefined : { count: alarms, what: "open" },
      },
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

const MOST_COUNTED = 20;

/** How many alarms nobody has acknowledged, in the navigation and the title of the tab: `2`, `20+`; null for none. */
const useOpenAlarms = (): string | null => {
  const { items, more } = useOperatorList("/alarms", { query: { state: "open", limit: MOST_COUNTED } });
  const count = items.length === 0 ? null : `${items.length}${more === null ? "" : "+"}`;
  useWaitingInTitle(count);
  return count;
};

export const OperationsShell = () => {
  const user = useUser();
  const writes = mayWrite(user);
  const waiting = useOpenAlarms();
  return <Shell base={OPERATOR} side="/operations" user={user} groups={groups(writes, waiting)} writes={writes} />;
};
