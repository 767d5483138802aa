import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useOperatorList } from "../../../api/use-call.js";
import { Keys } from "../../../parts/keys.js";
import { AddKey, type KeyScope } from "../../../parts/new-key.js";
import { Card } from "../../../ui/card.js";

/** The API keys of an account. */
export const AccountKeys = ({ accountId }: { readonly accountId: string }) => {
  const params = { id: accountId };
  const scope: KeyScope = {
    side: "operators",
    list: useOperatorList("/accounts/{id}/keys", { params }),
    issue: (body) => callOperator("POST", "/accounts/{id}/keys", { params, body }),
    revoke: (id, isConfirmed) =>
      callOperator("DELETE", "/keys/{id}", {
        params: { id },
        query: { confirm_running: isConfirmed ? "true" : "false" },
      }),
  };
  return (
    <Card flush title={say("API keys")} actions={<AddKey scope={scope} />}>
      <Keys scope={scope} />
    </Card>
  );
};
