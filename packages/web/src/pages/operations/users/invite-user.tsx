import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import type { User } from "../../../api/session.js";
import { useFormChange } from "../../../api/use-change.js";
import { type Invitation, InvitationLink } from "../../../parts/invitation-link.js";
import { isOfParticipant } from "../../../rules/role.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { useAccounts } from "../use-accounts.js";
import { roleChoices } from "./role.js";

interface Invited {
  readonly email: string;
  readonly name: string;
  readonly role: User["role"];
  readonly account_id: string;
}

/** Makes a user and the link that sets the password; for one account, or for whichever side is chosen. */
export const InviteUser = ({
  accountId,
  onDone,
}: {
  readonly accountId: string | null;
  readonly onDone: () => void;
}) => {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const role: User["role"] = accountId === null ? "operator" : "participant-admin";
  const draft = useDraft<Invited>({ email: "", name: "", role, account_id: accountId ?? "" });
  const ofParticipant = isOfParticipant(draft.values.role);
  const invite = useFormChange(
    (user: Invited) =>
      callOperator("POST", "/users", { body: { ...user, account_id: ofParticipant ? user.account_id : null } }),
    { after: setInvitation },
  );
  if (invitation !== null) return <InvitationLink invitation={invitation} onDone={onDone} />;
  const choices = accountId === null ? [...roleChoices(false), ...roleChoices(true)] : roleChoices(true);
  return (
    <Form onSend={() => invite.run(draft.values)} error={invite.error}>
      <Field label="Name" maxLength={200} {...draft.text("name")} />
      <Field label="Email" type="email" maxLength={254} {...draft.text("email")} />
      <Select label="Role" choices={choices} {...draft.text("role")} />
      {ofParticipant && accountId === null && <AccountChoice {...draft.text("account_id")} />}
      <Actions>
        <Button type="submit" look="primary" busy={invite.isPending && "Inviting…"}>
          Make the invitation
        </Button>
      </Actions>
    </Form>
  );
};

const AccountChoice = (control: ReturnType<ReturnType<typeof useDraft<Invited>>["text"]>) => {
  const { items: accounts } = useAccounts();
  const choices = accounts.map(({ id, name }) => ({ value: id, label: name }));
  return <Select label="Account" choices={[{ value: "", label: "Choose…" }, ...choices]} {...control} />;
};
