import type { operator } from "@curtail/contract";
import { useState } from "react";
import { callConsole } from "../../api/call.js";
import { mayWrite, useUser } from "../../api/session.js";
import { useConsoleList } from "../../api/use-call.js";
import { useChange } from "../../api/use-change.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Actions, Confirm, Dialog } from "../../ui/dialog.js";
import { Field, Form } from "../../ui/field.js";
import { ListTable } from "../../ui/table.js";

type Contact = operator.Contact;

/** Who is mailed when the account's systems cannot be reached. */
export const ContactsPage = () => {
  const writes = mayWrite(useUser());
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHead
        title="Contacts"
        lead="They are mailed when your webhooks could not be told of a dispatch."
        actions={
          writes && (
            <Button look="primary" onClick={() => setAdding(true)}>
              Add contact
            </Button>
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
            ...(writes ? [{ head: "Action", cell: (contact: Contact) => <Remove contact={contact} /> }] : []),
          ]}
        />
      </Card>
      <Dialog title="Add contact" open={adding} onClose={() => setAdding(false)}>
        <NewContact onClose={() => setAdding(false)} />
      </Dialog>
    </>
  );
};

const NewContact = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const add = useChange(() => callConsole("POST", "/contacts", { body: { name, email } }), {
    done: "The contact is added.",
    after: onClose,
  });
  return (
    <Form onSend={() => add.run(undefined)}>
      <Field label="Name" value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
      <Field
        label="Email"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        autoComplete="off"
      />
      <Actions>
        <Button type="submit" look="primary" busy={add.isPending && "Adding…"} disabled={name === "" || email === ""}>
          Add
        </Button>
        <Button onClick={onClose}>Back</Button>
      </Actions>
    </Form>
  );
};

const Remove = ({ contact: { id, name } }: { readonly contact: Contact }) => {
  const [asking, setAsking] = useState(false);
  const remove = useChange(() => callConsole("DELETE", "/contacts/{id}", { params: { id } }), {
    done: "The contact is removed.",
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Remove</Button>
      <Confirm
        title={`Remove ${name}?`}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.run(undefined)}
        action="Remove contact"
        busy={remove.isPending}
      >
        {name} is not mailed any more when a dispatch does not reach you.
      </Confirm>
    </>
  );
};
