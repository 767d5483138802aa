import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useFormChange } from "../../../api/use-change.js";
import type { AlarmGroup } from "../../../rules/alarm-group.js";
import { groupTitle } from "../../../rules/alarm-group.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";

/** Says who looks after a group. */
export const AssignButton = ({ group }: { readonly group: AlarmGroup }) => (
  <DialogButton
    label={say("Assign…")}
    title={say("Assign: {title}", { title: groupTitle(group) })}
    name={say("Assign… {title}", { title: groupTitle(group) })}
  >
    {(close) => <Assign group={group} onDone={close} />}
  </DialogButton>
);

const MOST_CHARACTERS = 100;
/** People sit at the same desk all shift. */
const DESK = "alarm-desk";

const Assign = ({
  group: { id, assigned_to },
  onDone,
}: {
  readonly group: AlarmGroup;
  readonly onDone: () => void;
}) => {
  const { name } = useUser();
  const draft = useDraft({ to: assigned_to ?? localStorage.getItem(DESK) ?? name });
  const change = useFormChange(
    (to: string | null) =>
      callOperator("POST", "/alarms/groups/{id}/assign", { params: { id }, body: { assigned_to: to } }),
    { done: ({ alarms }) => (alarms === 0 ? say("Assigned as before.") : say("Assigned.")), after: onDone },
  );
  const assign = () => {
    const to = draft.values.to.trim();
    localStorage.setItem(DESK, to);
    change.run(to);
  };
  return (
    <Form onSend={assign} error={change.error}>
      <Field
        label={say("Person or desk")}
        maxLength={MOST_CHARACTERS}
        hint={say("Colleagues see it with the alarms. Nobody is notified of it.")}
        {...draft.text("to")}
        autoComplete="off"
      />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("One moment…")}>
          {say("Assign")}
        </Button>
        {assigned_to !== null && <Button onClick={() => change.run(null)}>{say("Assign to nobody")}</Button>}
        <Button onClick={onDone}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};
