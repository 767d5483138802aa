import type { operator } from "@curtail/contract";
import { EMAIL_CHARACTERS, NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { useUser } from "../api/session.js";
import { useFormChange } from "../api/use-change.js";
import { isOfParticipant, mayWriteUsers } from "../rules/role.js";
import { Button } from "../ui/button.js";
import { Actions } from "../ui/dialog.js";
import { DialogButton } from "../ui/dialog-button.js";
import { type Choice, Field, Select } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { useDraft } from "../ui/use-draft.js";
import { type Invitation, InvitationLink } from "./invitation-link.js";
import { roleChoices } from "./role-words.js";
import type { Invited, UserScope } from "./user-scope.js";

interface Of {
  readonly scope: UserScope;
}

const words = {
  own: { label: say("Invite user"), make: say("Invite"), making: say("One moment…") },
  operators: { label: say("Invite"), make: say("Create invitation"), making: say("Inviting…") },
} as const;

export const AddUser = ({ scope }: Of) =>
  mayWriteUsers(useUser()) && (
    <DialogButton look="primary" label={words[scope.side].label} title={say("Invite user")}>
      {(close) => <InviteUser scope={scope} onDone={close} />}
    </DialogButton>
  );

/** Creates a user and a link for setting the password, in one account or on the chosen side. */
const InviteUser = ({ scope, onDone }: Of & { readonly onDone: () => void }) => {
  const { make, making } = words[scope.side];
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const accountId = scope.side === "own" ? null : scope.accountId;
  const draft = useDraft<Invited>({ email: "", name: "", role: firstRole(scope), account_id: accountId ?? "" });
  const isAccountAsked = scope.side === "operators" && accountId === null && isOfParticipant(draft.values.role);
  const change = useFormChange(scope.invite, { after: setInvitation });
  if (invitation !== null) return <InvitationLink invitation={invitation} onDone={onDone} />;
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <Field label={say("Name")} maxLength={NAME_CHARACTERS} {...draft.text("name")} autoComplete="off" />
      <Field
        label={say("Email")}
        type="email"
        maxLength={EMAIL_CHARACTERS}
        {...draft.text("email")}
        autoComplete="off"
      />
      <Select label={say("Role")} choices={rolesIn(scope)} {...draft.text("role")} />
      {isAccountAsked && (
        <Select
          label={say("Account")}
          choices={[
            { value: "", label: say("Choose…") },
            ...[...scope.accounts].map(([value, label]) => ({ value, label })),
          ]}
          {...draft.text("account_id")}
        />
      )}
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && making}>
          {make}
        </Button>
        {scope.side === "own" && <Button onClick={onDone}>{say("Back")}</Button>}
      </Actions>
    </Form>
  );
};

const firstRole = (scope: UserScope): operator.User["role"] => {
  if (scope.side === "own") return "participant-viewer";
  return scope.accountId === null ? "operator" : "participant-admin";
};

const ownRoles = [
  { value: "participant-viewer", label: say("Viewer: read-only") },
  { value: "participant-admin", label: say("Admin: full access to the account") },
] as const;

const rolesIn = (scope: UserScope): readonly Choice[] => {
  if (scope.side === "own") return ownRoles;
  return scope.accountId === null ? [...roleChoices(false), ...roleChoices(true)] : roleChoices(true);
};
