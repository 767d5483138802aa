import { CONSOLE } from "../api/call.js";
import { useUser } from "../api/session.js";
import { mayWrite } from "../rules/role.js";
import type { NavGroup } from "./nav.js";
import { Shell } from "./shell.js";

const groups = (writes: boolean): readonly NavGroup[] => [
  {
    label: "Energy",
    items: [
      { to: "/dashboard", label: "Now", icon: "now" },
      { to: "/dashboard/energy", label: "Energy", icon: "energy" },
      { to: "/dashboard/dispatches", label: "Dispatches", icon: "dispatch" },
      { to: "/dashboard/reports", label: "Reports", icon: "report" },
      { to: "/dashboard/availability", label: "Availability", icon: "calendar" },
      { to: "/dashboard/statements", label: "Statements", icon: "statement" },
    ],
  },
  {
    label: "Integration",
    items: [
      { to: "/dashboard/connect", label: "Get connected", icon: "connect" },
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

export const DashboardShell = () => {
  const user = useUser();
  const writes = mayWrite(user);
  return <Shell base={CONSOLE} side="/dashboard" user={user} groups={groups(writes)} writes={writes} />;
};
