import type { operator } from "@curtail/contract";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { callConsole } from "../../api/call.js";
import { mayWrite, useUser } from "../../api/session.js";
import type { Listed } from "../../api/use-call.js";
import { useChange } from "../../api/use-change.js";
import { counted } from "../../format/quantity.js";
import { duration, exact } from "../../format/time.js";
import { Badge, type Tone } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { type Column, ListTable } from "../../ui/table.js";
import { useNow } from "../../ui/use-now.js";
import { OutcomeBadge, outcomeDetail } from "./outcome.js";

type Delivery = operator.Delivery;

const tones: Readonly<Record<Delivery["state"], Tone>> = {
  pending: "info",
  delivered: "good",
  failed: "bad",
  dropped: "neutral",
};

const events: Readonly<Record<Delivery["event"], string>> = {
  "dispatch.create": "new dispatch",
  "dispatch.update": "change",
};

const event: Column<Delivery> = {
  head: "Notice",
  cell: ({ event: name, created_at }) => (
    <>
      {events[name]}
      <div className="text-muted">{exact(created_at)}</div>
    </>
  ),
};

const dispatch: Column<Delivery> = {
  head: "Dispatch",
  wide: true,
  cell: ({ dispatch_id }) => (
    <Link to="/dashboard/dispatches/$id" params={{ id: dispatch_id }} className="break-all text-accent hover:underline">
      {dispatch_id}
    </Link>
  ),
};

const webhook: Column<Delivery> = {
  head: "Webhook",
  wide: true,
  cell: ({ webhook_id }) => (
    <Link to="/dashboard/webhooks/$id" params={{ id: webhook_id }} className="break-all text-accent hover:underline">
      {webhook_id}
    </Link>
  ),
};

/** What webhooks were sent, with every attempt; `of` is whose they are, which needs no column. */
export const Deliveries = ({ list, of }: { readonly list: Listed<Delivery>; readonly of: "webhook" | "dispatch" }) => {
  const writes = mayWrite(useUser());
  useWatch(list.items);
  return (
    <ListTable<Delivery>
      label="Deliveries"
      list={list}
      keyOf={({ id }) => id}
      empty={
        of === "webhook"
          ? "Nothing was sent yet. The next dispatch that calls your sites is told here."
          : "No webhook was told of this dispatch."
      }
      columns={[
        event,
        of === "webhook" ? dispatch : webhook,
        { head: "State", cell: (delivery) => <State delivery={delivery} /> },
        { head: "Attempts", cell: (delivery) => <Attempts delivery={delivery} /> },
        ...(writes ? [{ head: "Action", cell: ({ id }: Delivery) => <Resend id={id} /> }] : []),
      ]}
    />
  );
};

const WATCH_EVERY_MS = 1500;

/** While something is about to be sent the list is asked again: a request sent once more leaves no other trace. */
const useWatch = (deliveries: readonly Delivery[]): void => {
  const queries = useQueryClient();
  const waits = deliveries.some(({ next_attempt_at }) => next_attempt_at !== null);
  useEffect(() => {
    if (!waits) return;
    const isOfDeliveries = ({ queryKey: [, path] }: { readonly queryKey: readonly unknown[] }) =>
      String(path).endsWith("/deliveries");
    const timer = setInterval(() => void queries.invalidateQueries({ predicate: isOfDeliveries }), WATCH_EVERY_MS);
    return () => clearInterval(timer);
  }, [queries, waits]);
};

const State = ({ delivery: { state, next_attempt_at } }: { readonly delivery: Delivery }) => {
  const now = useNow();
  return (
    <>
      <Badge tone={tones[state]}>{state}</Badge>
      {next_attempt_at !== null && (
        <div className="text-sm text-muted">
          {Date.parse(next_attempt_at) <= now.getTime()
            ? "sending…"
            : `next attempt in ${duration(Date.parse(next_attempt_at) - now.getTime())}`}
        </div>
      )}
    </>
  );
};

const Attempts = ({ delivery: { attempts } }: { readonly delivery: Delivery }) => {
  const last = attempts.at(-1);
  if (last === undefined) return <span className="text-muted">none yet</span>;
  return (
    <details>
      <summary>
        {counted(attempts.length, "attempt")} <OutcomeBadge outcome={last} />
      </summary>
      <ol className="mt-2 grid gap-1.5">
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <OutcomeBadge outcome={attempt} /> {exact(attempt.at)}
            <div className="text-muted">{outcomeDetail(attempt)}</div>
          </li>
        ))}
      </ol>
    </details>
  );
};

const Resend = ({ id }: { readonly id: string }) => {
  const resend = useChange(() => callConsole("POST", "/deliveries/{id}/resend", { params: { id } }), {
    done: "It goes out once more; its attempts show how that went.",
  });
  return (
    <Button onClick={() => resend.run(undefined)} busy={resend.isPending && "Sending…"}>
      Resend
    </Button>
  );
};
