import type { operator } from "@curtail/contract";
import { useState } from "react";
import { callConsole } from "../../api/call.js";
import { mayWriteUsers, useUser } from "../../api/session.js";
import { useConsoleList } from "../../api/use-call.js";
import { useChange } from "../../api/use-change.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Confirm, Dialog } from "../../ui/dialog.js";
import { ListTable } from "../../ui/table.js";
import { InvitationLink } from "./invitation-link.js";
import { NewUser } from "./new-user.js";

type User = operator.User;

/** Who of the account signs in here. */
export const UsersPage = () => {
  const writes = mayWriteUsers(useUser());
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHead
        title="Users"
        lead="People of your account who sign in here."
        actions={
          writes && (
            <Button look="primary" onClick={() => setInviting(true)}>
              Invite somebody
            </Button>
          )
        }
      />
      <Card flush>
        <Users writes={writes} />
      </Card>
      <Dialog title="Invite somebody" open={inviting} onClose={() => setInviting(false)}>
        <NewUser onClose={() => setInviting(false)} />
      </Dialog>
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

const Actions = ({ user: { id, name, disabled } }: { readonly user: User }) => {
  const [asking, setAsking] = useState(false);
  const [link, setLink] = useState<operator.User["id"] | null>(null);
  const params = { id };
  const change = useChange((to: boolean) => callConsole("PATCH", "/users/{id}", { params, body: { disabled: to } }), {
    done: ({ disabled: is }) => (is ? `${name} may not sign in any more.` : `${name} may sign in again.`),
    after: () => setAsking(false),
  });
  const invite = useChange(() => callConsole("POST", "/users/{id}/invitation", { params }), {
    after: ({ invitation_url }) => setLink(invitation_url),
  });
  return (
    <span className="flex flex-wrap gap-2">
      {disabled ? (
        <Button onClick={() => change.run(false)} busy={change.isPending && "One moment…"}>
          Enable
        </Button>
      ) : (
        <>
          <Button onClick={() => invite.run(undefined)} busy={invite.isPending && "One moment…"}>
            New link
          </Button>
          <Button onClick={() => setAsking(true)}>Disable</Button>
        </>
      )}
      <Confirm
        title={`Disable ${name}?`}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => change.run(true)}
        action="Disable"
        busy={change.isPending}
      >
        {name} is signed out everywhere at once and may not sign in until somebody enables the user again.
      </Confirm>
      <Dialog title={`A link for ${name}`} open={link !== null} onClose={() => setLink(null)}>
        <InvitationLink url={link ?? ""} onClose={() => setLink(null)} />
      </Dialog>
    </span>
  );
};
