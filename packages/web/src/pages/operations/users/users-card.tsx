import type { operator } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useWhole } from "../../../api/use-whole.js";
import { AddUser } from "../../../parts/invite-user.js";
import type { OperatorUsers } from "../../../parts/user-scope.js";
import { Users } from "../../../parts/users.js";
import { isOfParticipant } from "../../../rules/role.js";
import { Card } from "../../../ui/card.js";
import type { Column } from "../../../ui/table.js";
import { AccountOf } from "../account-link.js";
import { useAccountNames } from "../use-accounts.js";

/** All users. */
export const EverybodyCard = () => {
  const scope = useScope(null, useAccountNames());
  return (
    <Card flush title={say("Everyone")} actions={<AddUser scope={scope} />}>
      <Users scope={scope} more={[accountColumn]} />
    </Card>
  );
};

/** The users of one account. */
export const AccountUsers = ({ accountId }: { readonly accountId: string }) => {
  const scope = useScope(accountId, new Map());
  return (
    <Card flush title={say("Users of the participant")} actions={<AddUser scope={scope} />}>
      <Users scope={scope} />
    </Card>
  );
};

const useScope = (accountId: string | null, accounts: OperatorUsers["accounts"]): OperatorUsers => {
  const list = useWhole(useOperatorList("/users", { query: { limit: MAX_PAGE } }));
  const items = list.items.filter(({ account_id }) => accountId === null || account_id === accountId);
  return {
    side: "operators",
    accountId,
    accounts,
    list: { ...list, items },
    invite: (user) =>
      callOperator("POST", "/users", {
        body: { ...user, account_id: isOfParticipant(user.role) ? user.account_id : null },
      }),
    renew: (id) => callOperator("POST", "/users/{id}/invitation", { params: { id } }),
    setDisabled: (id, disabled) => callOperator("PATCH", "/users/{id}", { params: { id }, body: { disabled } }),
    signOut: (id) => callOperator("POST", "/users/{id}/sign-out", { params: { id } }),
    edit: (id, body) => callOperator("PATCH", "/users/{id}", { params: { id }, body }),
    remove: (id) => callOperator("DELETE", "/users/{id}", { params: { id } }),
  };
};

const accountColumn: Column<operator.User> = {
  head: say("Account"),
  cell: ({ account_id }) => (account_id === null ? "–" : <AccountOf id={account_id} tab="users" />),
  wide: true,
};
