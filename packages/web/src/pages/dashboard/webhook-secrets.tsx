import { useState } from "react";
import { callConsole } from "../../api/call.js";
import { useChange } from "../../api/use-change.js";
import { Button } from "../../ui/button.js";
import { Card } from "../../ui/card.js";
import { Copy } from "../../ui/copy.js";
import { Confirm } from "../../ui/dialog.js";

/** What requests are signed with: shown when asked for, and given anew. */
export const WebhookSecrets = ({
  id,
  secrets,
  writes,
}: {
  readonly id: string;
  readonly secrets: readonly string[];
  readonly writes: boolean;
}) => {
  const [shown, setShown] = useState(false);
  return (
    <Card title="Secret" actions={writes && <Rotate id={id} />}>
      <p className="mb-3 max-w-prose text-muted">
        Every request is signed with it, as Standard Webhooks describes (headers webhook-id, webhook-timestamp and
        webhook-signature). Check the signature before you believe a request.
      </p>
      {secrets.length === 0 ? (
        <p>Only admins of your account see it.</p>
      ) : shown ? (
        <ul className="grid gap-2">
          {secrets.map((secret, index) => (
            <li key={secret}>
              {secrets.length > 1 && (
                <div className="text-sm text-muted">{index === 0 ? "New" : "Before; used besides for 24 hours"}</div>
              )}
              <Copy text={secret} label={index === 0 ? "secret" : "former secret"} />
            </li>
          ))}
        </ul>
      ) : (
        <Button onClick={() => setShown(true)}>Show secret</Button>
      )}
    </Card>
  );
};

const Rotate = ({ id }: { readonly id: string }) => {
  const [asking, setAsking] = useState(false);
  const rotate = useChange(() => callConsole("POST", "/webhooks/{id}/rotate-secret", { params: { id } }), {
    done: "The webhook has a new secret.",
    after: () => setAsking(false),
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Rotate</Button>
      <Confirm
        title="Give it a new secret?"
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => rotate.run(undefined)}
        action="Make a new secret"
        busy={rotate.isPending}
      >
        For 24 hours requests are signed with both, the new one and the one before; change your receiver meanwhile. If
        there are two already, the older one ends at once.
      </Confirm>
    </>
  );
};
