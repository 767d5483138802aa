import { SECRET_OVERLAP_HOURS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { useChange } from "../api/use-change.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { ConfirmButton } from "../ui/dialog-button.js";

/** The secrets of a webhook, newest first: shown on request, and rotated. */
export const WebhookSecrets = ({
  secrets,
  rotate,
}: {
  readonly secrets: readonly string[];
  /** Rotates the secret; the previous one remains in use for a day. */
  readonly rotate: () => Promise<unknown>;
}) => {
  const [shown, setShown] = useState(false);
  return (
    <div className="grid gap-2">
      {shown && <Secrets secrets={secrets} />}
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? say("Hide") : say("Show secret")}
        </Button>
        <Rotate rotate={rotate} onDone={() => setShown(true)} />
      </div>
    </div>
  );
};

const Secrets = ({ secrets }: { readonly secrets: readonly string[] }) => (
  <ul className="grid gap-2">
    {secrets.map((secret, index) => (
      <li key={secret}>
        {secrets.length > 1 && (
          <div className="text-sm text-muted">
            {index === 0 ? say("New") : say("Previous; also used for {n} hours", { n: SECRET_OVERLAP_HOURS })}
          </div>
        )}
        <Copy
          text={secret}
          label={index === 0 ? say("the secret", {}, "copied") : say("the previous secret", {}, "copied")}
        />
      </li>
    ))}
  </ul>
);

const Rotate = ({ rotate, onDone }: { readonly rotate: () => Promise<unknown>; readonly onDone: () => void }) => {
  const change = useChange(rotate, {
    done: say("New secret created. Requests are signed with both secrets for {n} hours.", { n: SECRET_OVERLAP_HOURS }),
    after: onDone,
  });
  return (
    <ConfirmButton
      label={say("Rotate")}
      title={say("Rotate the secret?")}
      action={say("Create new secret")}
      run={() => change.run(undefined)}
      busy={change.isPending}
    >
      {say(
        "Requests are signed with both the new and the previous secret for {n} hours; add the new one to the receiver within that time. If there are already two secrets, the older one stops working immediately.",
        { n: SECRET_OVERLAP_HOURS },
      )}
    </ConfirmButton>
  );
};
