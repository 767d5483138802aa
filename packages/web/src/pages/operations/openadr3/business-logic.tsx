import { say } from "@curtail/words/page";
import { useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { mayWrite } from "../../../rules/role.js";
import { Card } from "../../../ui/card.js";
import { ClientList } from "./client-list.js";
import { AddClient } from "./new-client.js";

/** The operator's own clients, such as a price feed. */
export const BusinessLogic = () => (
  <Card flush title={say("Business logic clients")} actions={mayWrite(useUser()) && <AddClient />}>
    <ClientList
      label={say("Business logic clients")}
      list={useOperatorList("/openadr3-clients", {})}
      empty={say(
        "No business logic clients yet. Create one for each system of yours that writes events, such as a price feed.",
      )}
    />
  </Card>
);
