import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useOperator, useOperatorList } from "../../../api/use-call.js";
import { AddAddress, type AddressScope, ChannelAddresses } from "../../../parts/channel-addresses.js";
import { AddContact, type ContactScope, Contacts } from "../../../parts/contacts.js";
import { Card } from "../../../ui/card.js";

/** The contacts of an account, who are emailed or phoned. */
export const AccountContacts = ({ accountId }: { readonly accountId: string }) => {
  const params = { id: accountId };
  const scope: ContactScope = {
    side: "operators",
    list: useOperatorList("/accounts/{id}/contacts", { params }),
    channels: useOperator("/phone-channels", {}).data ?? null,
    add: (body) => callOperator("POST", "/accounts/{id}/contacts", { params, body }),
    test: (id, channel) => callOperator("POST", "/contacts/{id}/test", { params: { id }, body: { channel } }),
    remove: (id) => callOperator("DELETE", "/contacts/{id}", { params: { id } }),
  };
  return (
    <Card flush title={say("Dispatch contacts")} actions={<AddContact scope={scope} />}>
      <Contacts scope={scope} />
    </Card>
  );
};

/** Where dispatches of an account are announced to people, such as chat rooms. */
export const AccountAddresses = ({ accountId }: { readonly accountId: string }) => {
  const params = { id: accountId };
  const scope: AddressScope = {
    list: useOperatorList("/accounts/{id}/channel-addresses", { params }),
    add: (body) => callOperator("POST", "/accounts/{id}/channel-addresses", { params, body }),
    test: (id) => callOperator("POST", "/channel-addresses/{id}/test", { params: { id } }),
    remove: (id) => callOperator("DELETE", "/channel-addresses/{id}", { params: { id } }),
  };
  return (
    <Card flush title={say("Chat rooms")} actions={<AddAddress scope={scope} />}>
      <ChannelAddresses scope={scope} />
    </Card>
  );
};
