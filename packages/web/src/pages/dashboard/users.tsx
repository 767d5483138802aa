import type { operator } from "@curtail/contract";
import { useState } from "react";
import { callConsole } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useConsoleList } from "../../api/use-call.js";
import { useChange } from "../../api/use-change.js";
import { type Invitation, InvitationLink } from "../../parts/invitation-link.js";
import { SignOutUser } from "../../parts/sign-out-user.js";
import { mayWriteUsers } from "../../rules/role.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Dialog } from "../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../ui/dialog-button.js";
import { ListTable } from "../../ui/table.js";
import { NewUser } from "./users/new-user.js";

type User = operator.User;

/** Who of the account signs in here. */
export const UsersPage = () => {
  const writes = mayWriteUsers(useUser());
  return (
    <>
      <PageHead
        title="Users"
        lead="People of your account who sign in here."
        actions={
          writes && (
            <DialogButton look="primary" label="Invite somebody">
              {(close) => <NewUser onClose={close} />}
            </DialogButton>
          )
        }
      />
      <Card flush>
        <Users writes={writes} />
      </Card>
    </>
  );
};

const Users = ({ writes }: { readonly writes: boolean }) => {
  const self = useUser();
  return (
    <ListTable<User>
      label="Users"
      list={useConsoleList("/users", {})}
      keyOf={({ id }) => id}
      empty="No users."
      columns={[
        {
          head: "Name",
          cell: ({ name, email, role, id }) => (
            <>
              <span className="font-medium">{name}</span> {id === self.id && <Badge tone="accent">you</Badge>}
              <div className="text-muted [overflow-wrap:anywhere]">{email}</div>
              <div className="text-muted">{role === "participant-admin" ? "admin" : "viewer"}</div>
            </>
          ),
        },
        { head: "State", cell: (user) => <State user={user} /> },
        ...(writes
          ? [{ head: "Action", cell: (user: User) => (user.id === self.id ? null : <Actions user={user} />) }]
          : []),
      ]}
    />
  );
};

const State = ({ user: { disabled, has_password, has_totp } }: { readonly user: User }) => {
  if (disabled) return <Badge tone="bad">disabled</Badge>;
  if (!has_password) return <Badge tone="warn">invited</Badge>;
  return <Badge tone="good">{has_totp ? "active, with authenticator" : "active"}</Badge>;
};

const Actions = ({ user: { id, name, disabled } }: { readonly user: User }) => (
  <span className="flex flex-wrap gap-2">
    {!disabled && <NewLink id={id} name={name} />}
    {!disabled && <SignOut id={id} name={name} />}
    <Ability id={id} name={name} disabled={disabled} />
  </span>
);

const SignOut = ({ id, name }: Pick<User, "id" | "name">) => (
  <SignOutUser name={name} signOut={() => callConsole("POST", "/users/{id}/sign-out", { params: { id } })} />
);

const NewLink = ({ id, name }: Pick<User, "id" | "name">) => {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const close = () => setInvitation(null);
  const invite = useChange(() => callConsole("POST", "/users/{id}/invitation", { params: { id } }), {
    after: setInvitation,
  });
  return (
    <>
      <Button onClick={() => invite.run(undefined)} busy={invite.isPending && "One moment…"}>
        New link
      </Button>
      <Dialog title={`A link for ${name}`} open={invitation !== null} onClose={close}>
        {invitation !== null && <InvitationLink invitation={invitation} onDone={close} />}
      </Dialog>
    </>
  );
};

const Ability = ({ id, name, disabled }: Pick<User, "id" | "name" | "disabled">) => {
  const change = useChange(
    (to: boolean) => callConsole("PATCH", "/users/{id}", { params: { id }, body: { disabled: to } }),
    { done: ({ disabled: is }) => (is ? `${name} may not sign in any more.` : `${name} may sign in again.`) },
  );
  if (disabled)
    return (
      <Button onClick={() => change.run(false)} busy={change.isPending && "One moment…"}>
        Enable
      </Button>
    );
  return (
    <ConfirmButton label="Disable" title={`Disable ${name}?`} run={() => change.run(true)} busy={change.isPending}>
      {name} is signed out everywhere at once and may not sign in until somebody enables the user again.
    </ConfirmButton>
  );
};
