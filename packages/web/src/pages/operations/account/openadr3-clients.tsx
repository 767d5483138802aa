import { say } from "@curtail/words/page";
import { useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { mayWrite } from "../../../rules/role.js";
import { Card } from "../../../ui/card.js";
import { ClientList } from "../openadr3/client-list.js";
import { AddClient } from "../openadr3/new-client.js";

/** The clients of OpenADR 3.1 of an account. */
export const Openadr3Clients = ({ accountId }: { readonly accountId: string }) => (
  <Card flush title={say("OpenADR 3 clients")} actions={mayWrite(useUser()) && <AddClient accountId={accountId} />}>
    <ClientList
      label={say("OpenADR 3 clients")}
      list={useOperatorList("/accounts/{id}/openadr3-clients", { params: { id: accountId } })}
      empty={say("No OpenADR 3 clients yet. Create one for each system of the participant that uses OpenADR 3.1.")}
    />
  </Card>
);
