import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useChange } from "../../../api/use-change.js";
import { ago, dayAndClock } from "../../../format/time.js";
import { Environment } from "../../../parts/environment.js";
import { mayWrite } from "../../../rules/role.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { ListTable } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";
import { NewKey } from "./new-key.js";

const states: Readonly<Record<string, readonly [Tone, string]>> = {
  unclaimed: ["info", "Link not opened yet"],
  active: ["good", "Active"],
  revoked: ["neutral", "Revoked"],
  expired: ["neutral", "Expired"],
};

export const Keys = ({ accountId }: { readonly accountId: string }) => {
  const writes = mayWrite(useUser());
  const now = useNow();
  return (
    <Card
      flush
      title="API keys"
      actions={
        writes && (
          <DialogButton look="primary" label="New key" title="New API key">
            {(close) => <NewKey accountId={accountId} onDone={close} />}
          </DialogButton>
        )
      }
    >
      <ListTable
        label="API keys"
        list={useOperatorList("/accounts/{id}/keys", { params: { id: accountId } })}
        keyOf={({ id }) => id}
        empty="No keys yet. The participant's systems need one for the sandbox first, then one for production."
        columns={[
          { head: "Environment", cell: ({ environment }) => <Environment of={environment} /> },
          {
            head: "State",
            cell: ({ state }) => <Badge tone={states[state]?.[0] ?? "neutral"}>{states[state]?.[1]}</Badge>,
          },
          { head: "Last used", cell: ({ last_used_at }) => ago(last_used_at, now) },
          { head: "Issued", cell: ({ created_at }) => dayAndClock(created_at), wide: true },
          {
            head: "Expires",
            cell: ({ expires_at }) => (expires_at === null ? "never" : dayAndClock(expires_at)),
            wide: true,
          },
          { head: "Id", cell: ({ id }) => <code className="text-muted">{id}</code>, wide: true },
          ...(writes
            ? [
                {
                  head: "Action",
                  cell: ({ id, state }: { readonly id: string; readonly state: string }) =>
                    (state === "active" || state === "unclaimed") && <Revoke id={id} />,
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
};

const Revoke = ({ id }: { readonly id: string }) => {
  const [isOver, setOver] = useState(false);
  const revoke = useChange(() => callOperator("DELETE", "/keys/{id}", { params: { id } }), {
    done: "The key is revoked.",
    after: () => setOver(true),
  });
  if (isOver) return null;
  return (
    <ConfirmButton
      label="Revoke"
      title="Revoke this key?"
      look="danger"
      run={() => revoke.run(undefined)}
      busy={revoke.isPending}
    >
      Whatever uses it is refused from now on. It cannot be taken back: issue a new key first if systems still need one.
    </ConfirmButton>
  );
};
