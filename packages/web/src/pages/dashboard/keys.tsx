import type { operator } from "@curtail/contract";
import { callConsole } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useConsoleList } from "../../api/use-call.js";
import { useChange } from "../../api/use-change.js";
import { ago, exact } from "../../format/time.js";
import { mayWrite } from "../../rules/role.js";
import { Badge, type Tone } from "../../ui/badge.js";
import { Card, PageHead } from "../../ui/card.js";
import { ConfirmButton, DialogButton } from "../../ui/dialog-button.js";
import { ListTable } from "../../ui/table.js";
import { useNow } from "../../ui/use-now.js";
import { NewKey } from "./keys/new-key.js";

type ApiKey = operator.ApiKey;

const tones: Readonly<Record<ApiKey["state"], Tone>> = {
  active: "good",
  unclaimed: "warn",
  revoked: "neutral",
  expired: "neutral",
};

/** The keys with which the account's systems call the interface. */
export const KeysPage = () => {
  const writes = mayWrite(useUser());
  return (
    <>
      <PageHead
        title="API keys"
        lead="Your systems call the interface with them. Make a second one, change over, then revoke the first."
        actions={
          writes && (
            <DialogButton look="primary" label="New key">
              {(close) => <NewKey onClose={close} />}
            </DialogButton>
          )
        }
      />
      <Card flush>
        <Keys writes={writes} />
      </Card>
    </>
  );
};

const Keys = ({ writes }: { readonly writes: boolean }) => {
  const now = useNow();
  return (
    <ListTable<ApiKey>
      label="API keys"
      list={useConsoleList("/keys", {})}
      keyOf={({ id }) => id}
      empty={writes ? "No keys yet. Make one for the system that sends readings." : "No keys yet."}
      columns={[
        {
          head: "Key",
          cell: ({ id, environment }) => (
            <>
              <code className="text-xs whitespace-nowrap sm:text-sm">{id}</code>
              <div className="text-muted">{environment}</div>
            </>
          ),
        },
        {
          head: "State",
          cell: ({ state, last_used_at }) => (
            <>
              <Badge tone={tones[state]}>{words[state]}</Badge>
              <div className="text-muted">
                {last_used_at === null ? "never used" : `used ${ago(last_used_at, now)}`}
              </div>
            </>
          ),
        },
        { head: "Made", wide: true, cell: ({ created_at }) => exact(created_at) },
        { head: "Ends", wide: true, cell: ({ expires_at }) => (expires_at === null ? "never" : exact(expires_at)) },
        ...(writes ? [{ head: "Action", cell: (key: ApiKey) => <Revoke apiKey={key} /> }] : []),
      ]}
    />
  );
};

const words: Readonly<Record<ApiKey["state"], string>> = {
  active: "active",
  unclaimed: "link not opened yet",
  revoked: "revoked",
  expired: "expired",
};

const Revoke = ({ apiKey: { id, state, environment } }: { readonly apiKey: ApiKey }) => {
  const revoke = useChange(() => callConsole("DELETE", "/keys/{id}", { params: { id } }), {
    done: "The key is revoked.",
  });
  if (state === "revoked" || state === "expired") return null;
  return (
    <ConfirmButton
      label="Revoke"
      title="Revoke this key?"
      action="Revoke key"
      run={() => revoke.run(undefined)}
      busy={revoke.isPending}
    >
      Whatever still uses <code>{id}</code> in {environment} is refused at once: no readings arrive, and no dispatches
      are read. This cannot be undone.
    </ConfirmButton>
  );
};
