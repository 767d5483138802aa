import type { operator } from "@curtail/contract";
import { callConsole } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useConsoleList } from "../../api/use-call.js";
import { useChange, useFormChange } from "../../api/use-change.js";
import { mayWrite } from "../../rules/role.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Actions } from "../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../ui/dialog-button.js";
import { Field } from "../../ui/field.js";
import { Form } from "../../ui/form.js";
import { ListTable } from "../../ui/table.js";
import { useDraft } from "../../ui/use-draft.js";

type Contact = operator.Contact;

/** Who is mailed when the account's systems cannot be reached. */
export const ContactsPage = () => {
  const writes = mayWrite(useUser());
  return (
    <>
      <PageHead
        title="Contacts"
        lead="They are mailed when nothing of yours has received a dispatch in time. If that fails too, the operator calls them."
        actions={
          writes && (
            <DialogButton look="primary" label="Add contact">
              {(close) => <NewContact onClose={close} />}
            </DialogButton>
          )
        }
      />
      <Card flush>
        <ListTable<Contact>
          label="Contacts"
          list={useConsoleList("/contacts", {})}
          keyOf={({ id }) => id}
          empty="No contacts yet. Without one, nobody is mailed when a dispatch does not reach you."
          columns={[
            { head: "Name", cell: ({ name }) => name },
            { head: "Email", cell: ({ email }) => <span className="[overflow-wrap:anywhere]">{email}</span> },
            { head: "Phone", cell: ({ phone }) => phone ?? "–" },
            ...(writes ? [{ head: "Action", cell: (contact: Contact) => <Remove contact={contact} /> }] : []),
          ]}
        />
      </Card>
    </>
  );
};

const NewContact = ({ onClose }: { readonly onClose: () => void }) => {
  const draft = useDraft({ name: "", email: "", phone: "" });
  const add = useFormChange(
    ({ phone, ...rest }: typeof draft.values) =>
      callConsole("POST", "/contacts", { body: { ...rest, phone: phone === "" ? null : phone } }),
    { done: "The contact is added.", after: onClose },
  );
  return (
    <Form onSend={() => add.run(draft.values)} error={add.error}>
      <Field label="Name" maxLength={200} {...draft.text("name")} autoComplete="off" />
      <Field label="Email" type="email" maxLength={254} {...draft.text("email")} autoComplete="off" />
      <Field
        label="Phone"
        type="tel"
        maxLength={50}
        hint="Optional. Called when no mail can be sent."
        {...draft.text("phone")}
        autoComplete="off"
      />
      <Actions>
        <Button type="submit" look="primary" busy={add.isPending && "Adding…"}>
          Add
        </Button>
        <Button onClick={onClose}>Back</Button>
      </Actions>
    </Form>
  );
};

const Remove = ({ contact: { id, name } }: { readonly contact: Contact }) => {
  const remove = useChange(() => callConsole("DELETE", "/contacts/{id}", { params: { id } }), {
    done: "The contact is removed.",
  });
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove ${name}?`}
      action="Remove contact"
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      {name} is not mailed any more when a dispatch does not reach you.
    </ConfirmButton>
  );
};
