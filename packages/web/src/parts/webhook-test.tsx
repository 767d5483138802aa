import type { operator, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { useChange } from "../api/use-change.js";
import { Button } from "../ui/button.js";
import { AttemptResponse } from "./attempt-exchange.js";
import { outcomeWords } from "./webhook-outcome.js";

type Tested = ReplyOf<typeof operator.testWebhook>;

/** Sends a test request to a webhook and shows its outcome. */
export const WebhookTest = ({ run }: { readonly run: () => Promise<Tested> }) => {
  const [tested, setTested] = useState<Tested | null>(null);
  const test = useChange(run, { after: setTested });
  const shown = test.isPending ? null : tested;
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => test.run(undefined)} busy={test.isPending && say("Testing…")}>
          {say("Test now")}
        </Button>
        <span role="status">
          {shown !== null && (
            <span className={shown.ok ? "text-good" : "text-bad"}>
              {shown.ok
                ? say("It works: {outcome}.", { outcome: outcomeWords(shown) })
                : say("It does not work: {outcome}.", { outcome: outcomeWords(shown) })}
            </span>
          )}
        </span>
      </div>
      {shown !== null && shown.response !== null && (
        <div className="mt-3">
          <AttemptResponse of={shown.response} />
        </div>
      )}
    </div>
  );
};
