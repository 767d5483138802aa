import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { nextDay, startOfDay } from "../../../format/local-time.js";
import { OWN_ZONE } from "../../../format/time.js";
import { OneTimeLink } from "../../../parts/one-time-link.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";

interface Wanted {
  readonly environment: "production" | "sandbox";
  readonly expires: string;
}

interface Issued {
  readonly claim_url: string;
  readonly claim_expires_at: string;
}

/** Issues a key through a link: nobody but its owner ever sees the key itself. */
export const NewKey = ({ accountId, onDone }: { readonly accountId: string; readonly onDone: () => void }) => {
  const [issued, setIssued] = useState<Issued | null>(null);
  const draft = useDraft<Wanted>({ environment: "production", expires: "" });
  const issue = useFormChange(
    ({ environment, expires }: Wanted) =>
      callOperator("POST", "/accounts/{id}/keys", {
        params: { id: accountId },
        body: { environment, expires_at: endOf(expires) },
      }),
    { after: setIssued },
  );
  if (issued !== null)
    return (
      <OneTimeLink url={issued.claim_url} expiresAt={issued.claim_expires_at} onDone={onDone}>
        Send this link to the participant. Whoever opens it and presses the button sees the key, once.
      </OneTimeLink>
    );
  return (
    <Form onSend={() => issue.run(draft.values)} error={issue.error}>
      <Select
        label="Environment"
        hint="Where the key is accepted. The sandbox has made-up dispatches to test with."
        choices={[
          { value: "production", label: "Production" },
          { value: "sandbox", label: "Sandbox" },
        ]}
        {...draft.text("environment")}
      />
      <Field
        label="Last day (optional)"
        hint={`Without one it never expires. The day ends on the clocks of ${OWN_ZONE}.`}
        type="date"
        {...draft.text("expires")}
        name="expires_at"
      />
      <Actions>
        <Button type="submit" look="primary" busy={issue.isPending && "Issuing…"}>
          Make the link
        </Button>
      </Actions>
    </Form>
  );
};

/** The end of the viewer's day. */
const endOf = (day: string): string | null =>
  day === "" ? null : (startOfDay(nextDay(day), OWN_ZONE)?.toISOString() ?? null);
