import { useState } from "react";
import { callConsole } from "../../api/call.js";
import { useChange } from "../../api/use-change.js";
import { Button } from "../../ui/button.js";
import { Actions } from "../../ui/dialog.js";
import { Field, Form, Select } from "../../ui/field.js";
import { Fault } from "../../ui/state.js";
import { InvitationLink } from "./invitation-link.js";

type Role = "participant-admin" | "participant-viewer";

const roles = [
  { value: "participant-viewer", label: "Viewer: sees everything, changes nothing" },
  { value: "participant-admin", label: "Admin: does everything of the account" },
] as const;

/** Makes a user of the own account and shows the link to pass on. */
export const NewUser = ({ onClose }: { readonly onClose: () => void }) => {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("participant-viewer");
  const [link, setLink] = useState<string | null>(null);
  const create = useChange(() => callConsole("POST", "/users", { body: { email, name, role } }), {
    after: ({ invitation_url }) => setLink(invitation_url),
  });
  if (link !== null) return <InvitationLink url={link} onClose={onClose} />;
  return (
    <Form onSend={() => create.run(undefined)}>
      <Field label="Name" value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
      <Field
        label="Email"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        autoComplete="off"
      />
      <Select
        label="Role"
        choices={roles}
        value={role}
        onChange={(event) =>
          setRole(event.target.value === "participant-admin" ? "participant-admin" : "participant-viewer")
        }
      />
      {create.error !== null && <Fault error={create.error} />}
      <Actions>
        <Button
          type="submit"
          look="primary"
          busy={create.isPending && "One moment…"}
          disabled={name === "" || email === ""}
        >
          Invite
        </Button>
        <Button onClick={onClose}>Back</Button>
      </Actions>
    </Form>
  );
};
