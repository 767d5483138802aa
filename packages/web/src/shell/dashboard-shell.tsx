import { CONSOLE } from "../api/call.js";
import { useUser } from "../api/session.js";
import { mayWrite } from "../rules/role.js";
import { participantNavigation } from "./navigation.js";
import { Shell } from "./shell.js";

export const DashboardShell = () => {
  const user = useUser();
  const writes = mayWrite(user);
  return <Shell base={CONSOLE} side="/dashboard" user={user} groups={participantNavigation(writes)} writes={writes} />;
};
