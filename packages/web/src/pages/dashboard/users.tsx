import { say } from "@curtail/words/page";
import { callConsole } from "../../api/call.js";
import { useConsoleList } from "../../api/use-call.js";
import { AddUser } from "../../parts/invite-user.js";
import type { OwnUsers } from "../../parts/user-scope.js";
import { Users } from "../../parts/users.js";
import { Card, PageHead } from "../../ui/card.js";

/** The users of the account. */
export const UsersPage = () => {
  const scope: OwnUsers = {
    side: "own",
    list: useConsoleList("/users", {}),
    invite: ({ email, name, role }) =>
      callConsole("POST", "/users", {
        body: { email, name, role: role === "participant-admin" ? role : "participant-viewer" },
      }),
    renew: (id) => callConsole("POST", "/users/{id}/invitation", { params: { id } }),
    setDisabled: (id, disabled) => callConsole("PATCH", "/users/{id}", { params: { id }, body: { disabled } }),
    signOut: (id) => callConsole("POST", "/users/{id}/sign-out", { params: { id } }),
  };
  return (
    <>
      <PageHead
        title={say("Users")}
        lead={say("Users of your account who can sign in here.")}
        actions={<AddUser scope={scope} />}
      />
      <Card flush>
        <Users scope={scope} />
      </Card>
    </>
  );
};
