import { VEN_ID_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { EnvironmentField, type EnvironmentName } from "../../../parts/environment.js";
import { newDraft, settingsOf } from "../../../rules/ven-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { VenFields } from "./ven-fields.js";

export const NewVen = ({ accountId }: { readonly accountId: string }) => {
  const [venId, setVenId] = useState("");
  const [environment, setEnvironment] = useState<EnvironmentName>("production");
  const draft = useDraft(newDraft);
  const navigate = useNavigate();
  const create = useFormChange(
    () =>
      callOperator("POST", "/accounts/{id}/vens", {
        params: { id: accountId },
        body: { ven_id: venId.trim(), environment, ...settingsOf(draft.values) },
      }),
    {
      done: say("VEN created. It needs a certificate next."),
      after: ({ id }) => void navigate({ to: "/operations/vens/$id", params: { id }, replace: true }),
    },
  );
  return (
    <Form onSend={() => create.run(undefined)} error={create.error}>
      <Field
        label={say("VEN id")}
        hint={say("Letters, digits, dots, hyphens and underscores. It cannot be changed later.")}
        maxLength={VEN_ID_CHARACTERS}
        name="ven_id"
        value={venId}
        onChange={({ target }) => setVenId(target.value)}
      />
      <EnvironmentField value={environment} onChange={setEnvironment} />
      <VenFields draft={draft} />
      <Actions>
        <Button type="submit" look="primary" busy={create.isPending && say("Creating…")}>
          {say("Create")}
        </Button>
      </Actions>
    </Form>
  );
};
