import type { DispatchPerformance } from "@curtail/contract";
import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";

type Result = Pick<DispatchPerformance, "dispatch_id" | "versions">;

/** Approves the newest final result; nothing where there is none, or where it is approved or withdrawn. */
export const ApproveResult = ({ result }: { readonly result: Result }) => {
  const newest = result.versions.at(-1);
  if (newest === undefined || newest.reason === "approved" || newest.reason === "withdrawn") return null;
  return (
    <DialogButton label={say("Approve result")} title={say("Approve version {version}?", { version: newest.version })}>
      {(close) => <Approval id={result.dispatch_id} version={newest.version} onDone={close} />}
    </DialogButton>
  );
};

const Approval = ({
  id,
  version,
  onDone,
}: {
  readonly id: string;
  readonly version: number;
  readonly onDone: () => void;
}) => {
  const [note, setNote] = useState("");
  const approve = useFormChange(
    (body: { version: number; note: string }) =>
      callOperator("POST", "/dispatches/{id}/performance/approve", { params: { id }, body }),
    { done: say("The result is approved."), after: onDone },
  );
  return (
    <Form onSend={() => approve.run({ version, note: note.trim() })} error={approve.error}>
      <p>{say("The result no longer changes. Later corrections are listed with it.")}</p>
      <Field
        label={say("Note")}
        name="note"
        value={note}
        maxLength={NAME_CHARACTERS}
        hint={say("Why it is approved. Participants see it.")}
        onChange={(event) => setNote(event.target.value)}
      />
      <Actions>
        <Button
          type="submit"
          look="primary"
          disabled={note.trim() === ""}
          busy={approve.isPending && say("One moment…")}
        >
          {say("Approve")}
        </Button>
      </Actions>
    </Form>
  );
};
