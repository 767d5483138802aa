import type { operator } from "@curtail/contract";
import { useMemo } from "react";
import { callOperator } from "../../../api/call.js";
import { mayWrite, useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useChange } from "../../../api/use-change.js";
import { useWhole } from "../../../api/use-whole.js";
import { ago, countdown, exact } from "../../../format/time.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { ListTable } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";
import type { Dispatch } from "../dispatch.js";

type Delivery = operator.Delivery;

const tones: Readonly<Record<Delivery["state"], Tone>> = {
  pending: "warn",
  delivered: "good",
  failed: "bad",
  dropped: "neutral",
};

const events: Readonly<Record<string, string>> = { "dispatch.create": "made", "dispatch.update": "changed" };

/** A resend that succeeds changes no state, so that nothing tells of it. */
const EVERY_MS = 5000;

/** What webhooks were sent of it. */
export const Deliveries = ({ dispatch: { id, program } }: { readonly dispatch: Dispatch }) => {
  const now = useNow();
  const writes = mayWrite(useUser());
  const zone = program.timezone;
  const urls = useWebhookUrls(id);
  return (
    <Card title="Webhook deliveries" flush>
      <ListTable<Delivery>
        label="Deliveries"
        list={useOperatorList(
          "/dispatches/{id}/deliveries",
          { params: { id }, query: { limit: 100 } },
          { everyMs: EVERY_MS },
        )}
        keyOf={(delivery) => delivery.id}
        empty="No webhook was sent anything of this dispatch: no account that it calls has one, or it is not told yet."
        columns={[
          { head: "State", cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge> },
          { head: "Told", cell: ({ event }) => `dispatch ${events[event] ?? event}` },
          {
            head: "Attempts",
            cell: ({ attempts, next_attempt_at }) => (
              <ul className="grid min-w-56 gap-0.5">
                {attempts.map((attempt) => (
                  <li key={attempt.at}>{attemptWords(attempt, zone)}</li>
                ))}
                {attempts.length === 0 && <li>none yet</li>}
                {next_attempt_at !== null && (
                  <li className="text-warn">next attempt in {countdown(next_attempt_at, now)}</li>
                )}
              </ul>
            ),
          },
          {
            head: "Webhook",
            wide: true,
            cell: ({ webhook_id }) => <span className="break-all">{urls.get(webhook_id) ?? webhook_id}</span>,
          },
          {
            head: "Since",
            wide: true,
            cell: ({ created_at }) => <span className="whitespace-nowrap">{ago(created_at, now)}</span>,
          },
          ...(writes ? [{ head: "Action", cell: (delivery: Delivery) => <Resend id={delivery.id} /> }] : []),
        ]}
      />
    </Card>
  );
};

/** Addresses of webhooks by id, as the evidence has them. */
const useWebhookUrls = (dispatchId: string): ReadonlyMap<string, string> => {
  const { items } = useWhole(
    useOperatorList("/dispatches/{id}/evidence", { params: { id: dispatchId }, query: { limit: 500 } }),
  );
  return useMemo(
    () =>
      new Map(
        items.flatMap(({ detail: { webhook_id, url } }) =>
          webhook_id === undefined || url === undefined ? [] : [[webhook_id, url] as const],
        ),
      ),
    [items],
  );
};

const attemptWords = ({ at, status, error, duration_ms }: Delivery["attempts"][number], zone: string): string =>
  `${exact(at, zone)}: ${status === null ? "no answer" : `answered ${status}`} after ${duration_ms} ms${error === null ? "" : ` (${error})`}`;

const Resend = ({ id }: { readonly id: string }) => {
  const resend = useChange(() => callOperator("POST", "/deliveries/{id}/resend", { params: { id } }), {
    done: "It is sent once more.",
  });
  return (
    <Button onClick={() => resend.run(undefined)} busy={resend.isPending && "Sending…"}>
      Resend
    </Button>
  );
};
