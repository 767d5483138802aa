import { type User, useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useWhole } from "../../../api/use-whole.js";
import { mayWriteUsers } from "../../../rules/role.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { type Column, ListTable } from "../../../ui/table.js";
import { AccountOf } from "../account-link.js";
import { InviteUser } from "./invite-user.js";
import { roleWords } from "./role.js";
import { UserActions } from "./user-actions.js";

/** Everybody who signs in, or the people of one account. */
export const UsersCard = ({ accountId }: { readonly accountId: string | null }) => {
  const writes = mayWriteUsers(useUser());
  const list = useWhole(useOperatorList("/users", { query: { limit: 500 } }));
  const items = list.items.filter(({ account_id }) => accountId === null || account_id === accountId);
  return (
    <Card
      flush
      title={accountId === null ? "Everybody" : "People of the participant"}
      actions={
        writes && (
          <DialogButton look="primary" label="Invite" title="Invite somebody">
            {(close) => <InviteUser accountId={accountId} onDone={close} />}
          </DialogButton>
        )
      }
    >
      <ListTable<User>
        label="Users"
        list={{ ...list, items }}
        keyOf={({ id }) => id}
        empty="Nobody signs in yet. Invite somebody: a link to set the password is made."
        columns={[
          ...columns,
          ...(accountId === null ? [accountColumn] : []),
          ...(writes ? [{ head: "Action", cell: (user: User) => <UserActions user={user} /> }] : []),
        ]}
      />
    </Card>
  );
};

const columns: readonly Column<User>[] = [
  {
    head: "Name",
    cell: ({ name, email }) => (
      <>
        <div className="font-medium">{name}</div>
        <div className="min-w-28 break-all text-muted">{email}</div>
      </>
    ),
  },
  {
    head: "Role",
    cell: (user) => (
      <>
        <div>{roleWords[user.role]}</div>
        <State of={user} />
      </>
    ),
  },
  { head: "Second factor", cell: ({ has_totp }) => (has_totp ? "Authenticator app" : "–"), wide: true },
];

const accountColumn: Column<User> = {
  head: "Account",
  cell: ({ account_id }) => (account_id === null ? "–" : <AccountOf id={account_id} tab="users" />),
  wide: true,
};

const State = ({ of: { disabled, has_password } }: { readonly of: User }) => {
  if (disabled) return <Badge tone="bad">Disabled</Badge>;
  return has_password ? <Badge tone="good">Active</Badge> : <Badge tone="info">Invited</Badge>;
};
