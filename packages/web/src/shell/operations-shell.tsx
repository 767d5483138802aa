import { OPERATOR } from "../api/call.js";
import { useUser } from "../api/session.js";
import { mayWrite } from "../rules/role.js";
import { operatorNavigation } from "./navigation.js";
import { Shell } from "./shell.js";

export const OperationsShell = () => {
  const user = useUser();
  return <Shell base={OPERATOR} side="/operations" user={user} groups={operatorNavigation(mayWrite(user))} />;
};
