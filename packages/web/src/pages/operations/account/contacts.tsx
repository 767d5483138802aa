import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import { dayAndClock } from "../../../format/time.js";
import { mayWrite } from "../../../rules/role.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { ListTable } from "../../../ui/table.js";
import { useDraft } from "../../../ui/use-draft.js";

interface Contact {
  readonly id: string;
  readonly name: string;
}

export const Contacts = ({ accountId }: { readonly accountId: string }) => {
  const writes = mayWrite(useUser());
  return (
    <Card
      flush
      title="Dispatch contacts"
      actions={
        writes && (
          <DialogButton look="primary" label="Add contact" title="Add a dispatch contact">
            {(close) => <NewContact accountId={accountId} onDone={close} />}
          </DialogButton>
        )
      }
    >
      <ListTable
        label="Dispatch contacts"
        list={useOperatorList("/accounts/{id}/contacts", { params: { id: accountId } })}
        keyOf={({ id }) => id}
        empty="No contacts yet. Add who is mailed, or called, when a dispatch does not reach the participant's systems."
        columns={[
          { head: "Name", cell: ({ name }) => name },
          { head: "Email", cell: ({ email }) => <span className="break-all">{email}</span> },
          { head: "Phone", cell: ({ phone }) => phone ?? "–" },
          { head: "Since", cell: ({ created_at }) => dayAndClock(created_at), wide: true },
          ...(writes ? [{ head: "Action", cell: (contact: Contact) => <Remove contact={contact} /> }] : []),
        ]}
      />
    </Card>
  );
};

const Remove = ({ contact: { id, name } }: { readonly contact: Contact }) => {
  const remove = useChange(() => callOperator("DELETE", "/contacts/{id}", { params: { id } }), {
    done: `${name} is removed.`,
  });
  return (
    <ConfirmButton label="Remove" title={`Remove ${name}?`} run={() => remove.run(undefined)} busy={remove.isPending}>
      {name} is no longer mailed or called when a dispatch does not reach the account.
    </ConfirmButton>
  );
};

const NewContact = ({ accountId, onDone }: { readonly accountId: string; readonly onDone: () => void }) => {
  const draft = useDraft({ name: "", email: "", phone: "" });
  const add = useFormChange(
    ({ phone, ...rest }: typeof draft.values) =>
      callOperator("POST", "/accounts/{id}/contacts", {
        params: { id: accountId },
        body: { ...rest, phone: phone === "" ? null : phone },
      }),
    { done: ({ name }) => `${name} is added.`, after: onDone },
  );
  return (
    <Form onSend={() => add.run(draft.values)} error={add.error}>
      <Field label="Name" maxLength={200} {...draft.text("name")} />
      <Field label="Email" type="email" maxLength={254} {...draft.text("email")} />
      <Field
        label="Phone"
        type="tel"
        maxLength={50}
        hint="Optional. Called when no mail can be sent."
        {...draft.text("phone")}
      />
      <Actions>
        <Button type="submit" look="primary" busy={add.isPending && "Adding…"}>
          Add
        </Button>
      </Actions>
    </Form>
  );
};
