import { useUser } from "../api/session.js";
import { isOperator } from "../rules/role.js";
import { DashboardShell } from "./dashboard-shell.js";
import { OperationsShell } from "./operations-shell.js";

/** A page that both sides have stands in the frame of whoever looks. */
export const YouShell = () => (isOperator(useUser()) ? <OperationsShell /> : <DashboardShell />);
