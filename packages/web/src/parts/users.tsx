import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useUser } from "../api/session.js";
import { mayWriteUsers } from "../rules/role.js";
import { userState } from "../rules/user-state.js";
import { Badge } from "../ui/badge.js";
import { type Column, ListTable } from "../ui/table.js";
import { OperatorUserActions } from "./operator-user-actions.js";
import { roleWords } from "./role-words.js";
import type { Side } from "./side.js";
import { OwnUserActions } from "./user-actions.js";
import type { UserScope } from "./user-scope.js";

type User = operator.User;

/** Users and the actions on each. */
export const Users = ({
  scope,
  more = [],
}: {
  readonly scope: UserScope;
  /** Columns before the actions. */
  readonly more?: readonly Column<User>[];
}) => {
  const self = useUser();
  const { empty, columns } = views[scope.side];
  return (
    <ListTable<User>
      label={say("Users")}
      list={scope.list}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        ...columns(self),
        ...more,
        ...(mayWriteUsers(self)
          ? [{ head: say("Action"), cell: (user: User) => <Actions scope={scope} user={user} self={self} /> }]
          : []),
      ]}
    />
  );
};

const Actions = ({ scope, user, self }: { readonly scope: UserScope; readonly user: User; readonly self: User }) => {
  if (scope.side === "operators") return <OperatorUserActions scope={scope} user={user} />;
  return user.id === self.id ? null : <OwnUserActions scope={scope} user={user} />;
};

interface View {
  readonly empty: string;
  readonly columns: (self: User) => readonly Column<User>[];
}

const views: Readonly<Record<Side, View>> = {
  own: {
    empty: say("No users."),
    columns: (self) => [
      {
        head: say("Name"),
        cell: ({ name, email, role, id }) => (
          <>
            <span className="font-medium">{name}</span> {id === self.id && <Badge tone="accent">{say("you")}</Badge>}
            <div className="text-muted [overflow-wrap:anywhere]">{email}</div>
            <div className="text-muted">
              {role === "participant-admin" ? say("admin", {}, "role") : say("viewer", {}, "role")}
            </div>
          </>
        ),
      },
      { head: say("State"), cell: (user) => <OwnState of={user} /> },
    ],
  },
  operators: {
    empty: say("No users yet. Invite a user: you get a link for setting the password."),
    columns: () => [
      {
        head: say("Name"),
        cell: ({ name, email }) => (
          <>
            <div className="font-medium">{name}</div>
            <div className="min-w-28 break-all text-muted">{email}</div>
          </>
        ),
      },
      {
        head: say("Role"),
        cell: (user) => (
          <>
            <div>{roleWords[user.role]}</div>
            <OperatorState of={user} />
          </>
        ),
      },
      { head: say("Second factor"), cell: ({ has_totp }) => (has_totp ? say("Authenticator app") : "–"), wide: true },
    ],
  },
};

const OwnState = ({ of }: { readonly of: User }) => {
  const active = of.has_totp ? say("active, with authenticator") : say("active", {}, "user");
  const [tone, text] = {
    disabled: ["bad", say("disabled", {}, "user")] as const,
    invited: ["warn", say("invited", {}, "user")] as const,
    active: ["good", active] as const,
  }[userState(of)];
  return <Badge tone={tone}>{text}</Badge>;
};

const operatorStates = {
  disabled: ["bad", say("Disabled", {}, "user")],
  invited: ["info", say("Invited", {}, "user")],
  active: ["good", say("Active", {}, "user")],
} as const;

const OperatorState = ({ of }: { readonly of: User }) => {
  const [tone, text] = operatorStates[userState(of)];
  return <Badge tone={tone}>{text}</Badge>;
};
