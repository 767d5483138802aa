import { OPERATOR } from "../api/call.js";
import { useUser } from "../api/session.js";
import { mayWrite } from "../rules/role.js";
import { type NavGroup, Shell } from "./shell.js";

const groups = (writes: boolean): readonly NavGroup[] => [
  {
    label: "Today",
    items: [
      { to: "/operations", label: "Board", icon: "now" },
      { to: "/operations/dispatches", label: "Dispatches", icon: "dispatch" },
      { to: "/operations/alarms", label: "Alarms", icon: "alarm" },
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

export const OperationsShell = () => {
  const user = useUser();
  return <Shell base={OPERATOR} side="/operations" user={user} groups={groups(mayWrite(user))} />;
};
