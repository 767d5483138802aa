import { say } from "@curtail/words/page";
import { useNavigate } from "@tanstack/react-router";
import { callOperator } from "../../../api/call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import {
  changedEventOf,
  eventChangeOf,
  isOfForm,
  type OwnEvent,
  type OwnEventChange,
} from "../../../rules/openadr3-event-draft.js";
import { Button, ButtonLink } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { AudienceFields } from "./audience-fields.js";

interface Of {
  readonly event: OwnEvent;
}

export const ChangeEvent = ({ event }: Of) => (
  <DialogButton label={say("Change")} title={say("Change the event")}>
    {(close) => <Change event={event} onDone={close} />}
  </DialogButton>
);

const Change = ({ event, onDone }: Of & { readonly onDone: () => void }) => {
  const draft = useDraft(eventChangeOf(event));
  const change = useFormChange(
    (to: OwnEventChange) =>
      callOperator("PATCH", "/openadr3-events/{id}", { params: { id: event.id }, body: changedEventOf(to) }),
    { done: say("Saved. VENs that see it are notified."), after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <Field label={say("Name (optional)")} maxLength={200} {...draft.text("name")} />
      <Field
        label={say("Priority (optional)")}
        hint={say("0 is the highest.")}
        inputMode="numeric"
        {...draft.text("priority")}
      />
      <AudienceFields draft={draft} of="event" />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Saving…")}>
          {say("Save")}
        </Button>
      </Actions>
    </Form>
  );
};

/** Business logic may have written what the form cannot hold: it has to change that itself. */
export const ChangeValues = ({ event }: Of) =>
  isOfForm(event) && (
    <ButtonLink to="/operations/openadr3/events/$id/values" params={{ id: event.id }}>
      {say("Change values")}
    </ButtonLink>
  );

export const EndEvent = ({ event: { id } }: Of) => {
  const end = useChange(() => callOperator("POST", "/openadr3-events/{id}/end", { params: { id } }), {
    done: say("The event has ended."),
  });
  return (
    <ConfirmButton
      label={say("End now")}
      title={say("End the event now?")}
      run={() => end.run(undefined)}
      busy={end.isPending}
    >
      {say("Its current interval ends immediately, and those after it are dropped. VENs that see it are notified.")}
    </ConfirmButton>
  );
};

export const DeleteEvent = ({ event: { id, environment } }: Of) => {
  const navigate = useNavigate();
  const remove = useChange(() => callOperator("DELETE", "/openadr3-events/{id}", { params: { id } }), {
    done: say("The event was deleted."),
    after: () => void navigate({ to: "/operations/openadr3", search: { tab: "events", environment } }),
  });
  return (
    <ConfirmButton
      label={say("Delete")}
      look="danger"
      title={say("Delete the event?")}
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      {say(
        "VENs no longer see it, and its reports are deleted. This cannot be undone. To keep it in the list of past events, end it instead.",
      )}
    </ConfirmButton>
  );
};
