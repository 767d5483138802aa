import type { Statement } from "@curtail/contract";
import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";

/** Approves the newest version of a statement. */
export const ApproveStatement = ({ statement }: { readonly statement: Statement }) => {
  const version = statement.versions.at(-1)?.version ?? statement.version;
  return (
    <DialogButton look="primary" label={say("Approve")} title={say("Approve version {n}?", { n: version })}>
      {(close) => <Approval statement={statement} version={version} onDone={close} />}
    </DialogButton>
  );
};

const Approval = ({
  statement: { id, waiting },
  version,
  onDone,
}: {
  readonly statement: Statement;
  readonly version: number;
  readonly onDone: () => void;
}) => {
  const draft = useDraft({ note: "" });
  const note = draft.values.note.trim();
  const approve = useFormChange(
    (body: { version: number; note: string }) =>
      callOperator("POST", "/statements/{id}/approve", { params: { id }, body }),
    { done: say("The statement is approved."), after: onDone },
  );
  return (
    <Form onSend={() => approve.run({ version, note })} error={approve.error}>
      <p>{say("The statement no longer changes. Later changes are listed with it.")}</p>
      {waiting.length > 0 && (
        <p className="text-warn">
          {say("{n, plural, one {# result} other {# results}} not final yet: those lines are zero.", {
            n: waiting.length,
          })}
        </p>
      )}
      <Field
        label={say("Note")}
        maxLength={NAME_CHARACTERS}
        hint={say("Why it is approved. Participants see it.")}
        {...draft.text("note")}
      />
      <Actions>
        <Button type="submit" look="primary" disabled={note === ""} busy={approve.isPending && say("One moment…")}>
          {say("Approve")}
        </Button>
      </Actions>
    </Form>
  );
};
