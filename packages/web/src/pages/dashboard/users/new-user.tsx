import { useState } from "react";
import { callConsole } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { type Invitation, InvitationLink } from "../../../parts/invitation-link.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";

interface Invited {
  readonly name: string;
  readonly email: string;
  readonly role: "participant-admin" | "participant-viewer";
}

const roles = [
  { value: "participant-viewer", label: "Viewer: sees everything, changes nothing" },
  { value: "participant-admin", label: "Admin: does everything of the account" },
] as const;

/** Makes a user of the own account and shows the link to pass on. */
export const NewUser = ({ onClose }: { readonly onClose: () => void }) => {
  const draft = useDraft<Invited>({ name: "", email: "", role: "participant-viewer" });
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const create = useFormChange((body: Invited) => callConsole("POST", "/users", { body }), {
    after: setInvitation,
  });
  if (invitation !== null) return <InvitationLink invitation={invitation} onDone={onClose} />;
  return (
    <Form onSend={() => create.run(draft.values)} error={create.error}>
      <Field label="Name" maxLength={200} {...draft.text("name")} autoComplete="off" />
      <Field label="Email" type="email" maxLength={254} {...draft.text("email")} autoComplete="off" />
      <Select label="Role" choices={roles} {...draft.text("role")} />
      <Actions>
        <Button type="submit" look="primary" busy={create.isPending && "One moment…"}>
          Invite
        </Button>
        <Button onClick={onClose}>Back</Button>
      </Actions>
    </Form>
  );
};
