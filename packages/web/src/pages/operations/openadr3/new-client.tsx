import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { EnvironmentField } from "../../../parts/environment.js";
import { clientSettingsOf, newClientDraft, type Openadr3ClientDraft } from "../../../rules/openadr3-client-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { ClientFields } from "./client-fields.js";
import { ClientSecret } from "./client-secret.js";

/** Creates a client of an account; without one, business logic. */
export const AddClient = ({ accountId = null }: { readonly accountId?: string | null }) => (
  <DialogButton
    look="primary"
    label={say("New client")}
    title={accountId === null ? say("New business logic client") : say("New OpenADR 3 client")}
  >
    {(close) => <NewClient accountId={accountId} onDone={close} />}
  </DialogButton>
);

const NewClient = ({ accountId, onDone }: { readonly accountId: string | null; readonly onDone: () => void }) => {
  const role = accountId === null ? "bl" : "ven";
  const [made, setMade] = useState<operator.NewOpenadr3Client | null>(null);
  const draft = useDraft(newClientDraft(role));
  const create = useFormChange((values: Openadr3ClientDraft) => created(accountId, values), { after: setMade });
  if (made !== null) return <ClientSecret id={made.id} secret={made.client_secret ?? ""} onDone={onDone} />;
  return (
    <Form onSend={() => create.run(draft.values)} error={create.error}>
      {role === "bl" && (
        <p className="text-muted">
          {say("It reads every object of its environment, and writes programs, events, vens and subscriptions.")}
        </p>
      )}
      <EnvironmentField
        value={draft.values.environment}
        onChange={(environment) => draft.set({ environment })}
        hint={say("It cannot be changed later.")}
      />
      <ClientFields draft={draft} role={role} />
      <Actions>
        <Button type="submit" look="primary" busy={create.isPending && say("Creating…")}>
          {say("Create")}
        </Button>
      </Actions>
    </Form>
  );
};

const created = (accountId: string | null, draft: Openadr3ClientDraft) => {
  const { environment } = draft;
  return accountId === null
    ? callOperator("POST", "/openadr3-clients", { body: { environment, ...clientSettingsOf(draft, "bl") } })
    : callOperator("POST", "/accounts/{id}/openadr3-clients", {
        params: { id: accountId },
        body: { environment, ...clientSettingsOf(draft, "ven") },
      });
};
