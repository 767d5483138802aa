import { MAX_CHANGE_OVER_HOURS, SECRET_OVERLAP_HOURS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import {
  clientDraftOf,
  clientSettingsOf,
  type Openadr3Client,
  type Openadr3ClientDraft,
} from "../../../rules/openadr3-client-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { ClientFields } from "./client-fields.js";
import { ClientSecret } from "./client-secret.js";

interface Of {
  readonly client: Openadr3Client;
}
interface Closing extends Of {
  readonly onDone: () => void;
}

export const ChangeClient = ({ client }: Of) => (
  <DialogButton label={say("Change")} title={say("Change {name}", { name: client.name })}>
    {(close) => <Change client={client} onDone={close} />}
  </DialogButton>
);

const Change = ({ client, onDone }: Closing) => {
  const { id, role } = client;
  const draft = useDraft(clientDraftOf(client));
  const change = useFormChange(
    (to: Openadr3ClientDraft) =>
      callOperator("PATCH", "/openadr3-clients/{id}", { params: { id }, body: clientSettingsOf(to, role) }),
    { done: say("Saved."), after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <ClientFields draft={draft} role={role} />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Saving…")}>
          {say("Save")}
        </Button>
      </Actions>
    </Form>
  );
};

export const RotateSecret = ({ client }: Of) => (
  <DialogButton label={say("Rotate secret")} title={say("New secret of {name}", { name: client.name })}>
    {(close) => <Rotate client={client} onDone={close} />}
  </DialogButton>
);

const Rotate = ({ client: { id }, onDone }: Closing) => {
  const [hours, setHours] = useState(String(SECRET_OVERLAP_HOURS));
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useFormChange(
    (previous_valid_hours: number) =>
      callOperator("POST", "/openadr3-clients/{id}/rotate-secret", { params: { id }, body: { previous_valid_hours } }),
    { after: ({ client_secret }) => setSecret(client_secret ?? "") },
  );
  if (secret !== null) return <ClientSecret id={id} secret={secret} onDone={onDone} />;
  return (
    <Form onSend={() => rotate.run(Number(hours))} error={rotate.error}>
      <Field
        label={say("Hours for which the previous secret is accepted, too")}
        hint={say("0 ends it and all tokens of the client immediately, for example if the secret has leaked.")}
        type="number"
        min={0}
        max={MAX_CHANGE_OVER_HOURS}
        name="previous_valid_hours"
        value={hours}
        onChange={({ target }) => setHours(target.value)}
      />
      <Actions>
        <Button type="submit" look="primary" busy={rotate.isPending && say("One moment…")}>
          {say("Create new secret")}
        </Button>
      </Actions>
    </Form>
  );
};

export const RevokeClient = ({ client: { id, name, role } }: Of) => {
  const revoke = useChange(() => callOperator("DELETE", "/openadr3-clients/{id}", { params: { id } }), {
    done: say("{name} was revoked.", { name }, "client"),
  });
  return (
    <ConfirmButton
      label={say("Revoke")}
      look="danger"
      title={say("Revoke {name}?", { name })}
      run={() => revoke.run(undefined)}
      busy={revoke.isPending}
    >
      {say("Its secret and tokens stop working immediately.")}{" "}
      {role === "ven"
        ? say("Its ven, resources and subscriptions are deleted, and it receives no more events; its reports are kept.")
        : say("Its subscriptions are deleted; the programs and events that it wrote are kept.")}{" "}
      {say("This cannot be undone.")}
    </ConfirmButton>
  );
};
