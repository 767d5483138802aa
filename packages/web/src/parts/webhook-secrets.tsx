import { useState } from "react";
import { useChange } from "../api/use-change.js";
import { Button } from "../ui/button.js";
import { Copy } from "../ui/copy.js";
import { ConfirmButton } from "../ui/dialog-button.js";

/** What a webhook's requests are signed with, the newest first: shown when asked for, and given anew. */
export const WebhookSecrets = ({
  secrets,
  rotate,
}: {
  readonly secrets: readonly string[];
  /** Gives it a new secret; the one before stays for a day. */
  readonly rotate: () => Promise<unknown>;
}) => {
  const [shown, setShown] = useState(false);
  return (
    <div className="grid gap-2">
      {shown && <Secrets secrets={secrets} />}
      <div className="flex flex-wrap gap-2">
        <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? "Hide" : "Show secret"}
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
          <div className="text-sm text-muted">{index === 0 ? "New" : "Before; used besides for 24 hours"}</div>
        )}
        <Copy text={secret} label={index === 0 ? "the secret" : "the secret before"} />
      </li>
    ))}
  </ul>
);

const Rotate = ({ rotate, onDone }: { readonly rotate: () => Promise<unknown>; readonly onDone: () => void }) => {
  const change = useChange(rotate, {
    done: "The webhook has a new secret. For 24 hours requests are signed with both.",
    after: onDone,
  });
  return (
    <ConfirmButton
      label="Rotate"
      title="Give it a new secret?"
      action="Make a new secret"
      run={() => change.run(undefined)}
      busy={change.isPending}
    >
      For 24 hours requests are signed with both, the new one and the one before; the receiver has to know the new one
      by then. If there are two already, the older one ends at once.
    </ConfirmButton>
  );
};
