import { useUser } from "../api/session.js";
import { isOperator } from "../rules/role.js";
import { DashboardShell } from "./dashboard-shell.js";
import { OperationsShell } from "./operations-shell.js";

/** A page of both sides is shown in the frame of the current user. */
export const YouShell = () => (isOperator(useUser()) ? <OperationsShell /> : <DashboardShell />);
