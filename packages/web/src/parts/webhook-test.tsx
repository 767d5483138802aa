import type { operator, ReplyOf } from "@curtail/contract";
import { useState } from "react";
import { useChange } from "../api/use-change.js";
import { Button } from "../ui/button.js";
import { outcomeWords } from "./webhook-outcome.js";

type Tested = ReplyOf<typeof operator.testWebhook>;

/** Sends a test request to a webhook and shows its outcome. */
export const WebhookTest = ({ run }: { readonly run: () => Promise<Tested> }) => {
  const [tested, setTested] = useState<Tested | null>(null);
  const test = useChange(run, { after: setTested });
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Button onClick={() => test.run(undefined)} busy={test.isPending && "Testing…"}>
        Test now
      </Button>
      <span role="status">
        {tested !== null && !test.isPending && (
          <span className={tested.ok ? "text-good" : "text-bad"}>
            {tested.ok ? "It works" : "It does not work"}: {outcomeWords(tested)}.
          </span>
        )}
      </span>
    </div>
  );
};
