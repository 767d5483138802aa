import { callConsole } from "../../api/call.js";
import { useConsole, useConsoleList } from "../../api/use-call.js";
import { AddContact, type ContactScope, Contacts } from "../../parts/contacts.js";
import { Card, PageHead } from "../../ui/card.js";

/** Contacts that are notified by phone if they wish, and emailed when the account's systems cannot be reached. */
export const ContactsPage = () => {
  const scope: ContactScope = {
    side: "own",
    list: useConsoleList("/contacts", {}),
    channels: useConsole("/phone-channels", {}).data ?? null,
    add: (body) => callConsole("POST", "/contacts", { body }),
    test: (id, channel) => callConsole("POST", "/contacts/{id}/test", { params: { id }, body: { channel } }),
    remove: (id) => callConsole("DELETE", "/contacts/{id}", { params: { id } }),
  };
  return (
    <>
      <PageHead
        title="Contacts"
        lead="Contacts are mailed when none of your systems receives a dispatch in time. If mail fails too, the operator calls them. By SMS or voice call, they can also get every dispatch at once."
        actions={<AddContact scope={scope} />}
      />
      <Card flush>
        <Contacts scope={scope} />
      </Card>
    </>
  );
};
