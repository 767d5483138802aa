import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { useChange } from "../api/use-change.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { ConfirmButton } from "../ui/dialog-button.js";
import { type Invitation, InvitationLink } from "./invitation-link.js";
import type { OwnUsers, UserScope } from "./user-scope.js";

interface Of {
  readonly scope: UserScope;
  readonly user: operator.User;
}

/** Ends all sessions of a user, after a confirmation. */
export const SignOutUser = ({ scope, user: { id, name } }: Of) => {
  const end = useChange(() => scope.signOut(id), { done: say("{name} was signed out everywhere.", { name }) });
  return (
    <ConfirmButton
      label={say("Sign out")}
      title={say("Sign {name} out everywhere?", { name })}
      run={() => end.run(undefined)}
      busy={end.isPending}
    >
      {say("All sessions of {name} end immediately. The password stays valid.", { name })}
    </ConfirmButton>
  );
};

const words = {
  own: {
    disabled: (name: string) => say("{name} can no longer sign in.", { name }),
    enabling: say("One moment…"),
    look: "plain",
    asked: (name: string) =>
      say("{name} is signed out everywhere immediately and cannot sign in until the user is enabled again.", { name }),
  },
  operators: {
    disabled: (name: string) => say("{name} was signed out and can no longer sign in.", { name }),
    enabling: say("Enabling…"),
    look: "danger",
    asked: () => say("All sessions end immediately. The user cannot sign in until enabled again."),
  },
} as const;

/** Disables or enables a user. */
export const UserAbility = ({ scope, user: { id, name, disabled } }: Of) => {
  const said = words[scope.side];
  const change = useChange((to: boolean) => scope.setDisabled(id, to), {
    done: (user) => (user.disabled ? said.disabled(name) : say("{name} can sign in again.", { name })),
  });
  if (disabled)
    return (
      <Button onClick={() => change.run(false)} busy={change.isPending && said.enabling}>
        {say("Enable")}
      </Button>
    );
  return (
    <ConfirmButton
      label={say("Disable")}
      title={say("Disable {name}?", { name })}
      look={said.look}
      run={() => change.run(true)}
      busy={change.isPending}
    >
      {said.asked(name)}
    </ConfirmButton>
  );
};

/** Actions of an account's admin on other users. */
export const OwnUserActions = ({ scope, user }: Of & { readonly scope: OwnUsers }) => (
  <span className="flex flex-wrap gap-2">
    {!user.disabled && <NewLink scope={scope} user={user} />}
    {!user.disabled && <SignOutUser scope={scope} user={user} />}
    <UserAbility scope={scope} user={user} />
  </span>
);

const NewLink = ({ scope, user: { id, name } }: Of) => {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const close = () => setInvitation(null);
  const invite = useChange(() => scope.renew(id), { after: setInvitation });
  return (
    <>
      <Button onClick={() => invite.run(undefined)} busy={invite.isPending && say("One moment…")}>
        {say("New link")}
      </Button>
      <Dialog title={say("A link for {name}", { name })} open={invitation !== null} onClose={close}>
        {invitation !== null && <InvitationLink invitation={invitation} onDone={close} />}
      </Dialog>
    </>
  );
};
