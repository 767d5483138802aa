import { useUser } from "../api/session.js";
import { isOperator } from "../rules/role.js";
import { DashboardShell } from "./dashboard-shell.js";
import { OperationsShell } from "./operations-shell.js";

/** The account page, in the shell of the user's side. */
export const YouShell = () => (isOperator(useUser()) ? <OperationsShell /> : <DashboardShell />);
