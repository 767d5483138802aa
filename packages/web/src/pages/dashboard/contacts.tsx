import { say } from "@curtail/words/page";
import { callConsole } from "../../api/call.js";
import { useConsole, useConsoleList } from "../../api/use-call.js";
import { AddAddress, type AddressScope, ChannelAddresses } from "../../parts/channel-addresses.js";
import { AddContact, type ContactScope, Contacts } from "../../parts/contacts.js";
import { Card, PageHead, Stack } from "../../ui/card.js";

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
  const addresses: AddressScope = {
    list: useConsoleList("/channel-addresses", {}),
    add: (body) => callConsole("POST", "/channel-addresses", { body }),
    test: (id) => callConsole("POST", "/channel-addresses/{id}/test", { params: { id } }),
    remove: (id) => callConsole("DELETE", "/channel-addresses/{id}", { params: { id } }),
  };
  return (
    <>
      <PageHead
        title={say("Contacts")}
        lead={say(
          "Contacts are mailed when none of your systems receives a dispatch in time. If mail fails too, the operator calls them. By SMS or voice call, they can also get every dispatch at once, as can chat rooms.",
        )}
        actions={<AddContact scope={scope} />}
      />
      <Stack>
        <Card flush>
          <Contacts scope={scope} />
        </Card>
        <Card flush title={say("Chat rooms")} actions={<AddAddress scope={addresses} />}>
          <ChannelAddresses scope={addresses} />
        </Card>
      </Stack>
    </>
  );
};
