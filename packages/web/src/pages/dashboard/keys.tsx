import { say } from "@curtail/words/page";
import { callConsole } from "../../api/call.js";
import { useConsoleList } from "../../api/use-call.js";
import { Keys } from "../../parts/keys.js";
import { AddKey, type KeyScope } from "../../parts/new-key.js";
import { Card, PageHead } from "../../ui/card.js";

/** The API keys of the account. */
export const KeysPage = () => {
  const scope: KeyScope = {
    side: "own",
    list: useConsoleList("/keys", {}),
    issue: (body) => callConsole("POST", "/keys", { body }),
    revoke: (id, isConfirmed) =>
      callConsole("DELETE", "/keys/{id}", {
        params: { id },
        query: { confirm_running: isConfirmed ? "true" : "false" },
      }),
  };
  return (
    <>
      <PageHead
        title={say("API keys")}
        lead={say(
          "Keys authenticate your systems. To replace a key, create a second one, switch your systems to it, then revoke the first.",
        )}
        actions={<AddKey scope={scope} />}
      />
      <Card flush>
        <Keys scope={scope} />
      </Card>
    </>
  );
};
