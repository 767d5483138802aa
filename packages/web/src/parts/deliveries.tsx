import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useUser } from "../api/session.js";
import { useChange } from "../api/use-change.js";
import { duration, exact } from "../format/time.js";
import { isSoon, nextAttemptMs, untilAttemptMs } from "../rules/delivery.js";
import { mayWrite } from "../rules/role.js";
import { Badge, type Tone } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import type { Listed } from "../ui/listed.js";
import { type Column, ListTable } from "../ui/table.js";
import { useNow } from "../ui/use-now.js";
import { AttemptExchange } from "./attempt-exchange.js";
import { deliveryEvents, deliveryStates } from "./delivery-words.js";
import { OutcomeBadge, outcomeDetail } from "./webhook-outcome.js";

type Delivery = operator.Delivery;

const tones: Readonly<Record<Delivery["state"], Tone>> = {
  pending: "info",
  delivered: "good",
  failed: "bad",
  dropped: "neutral",
};

/** Webhook deliveries, with every attempt. */
export const Deliveries = ({
  list,
  others,
  empty,
  resend,
  timeZone,
}: {
  readonly list: Listed<Delivery>;
  /** Context column: the dispatch of a delivery, or the account of its webhook. */
  readonly others: readonly Column<Delivery>[];
  readonly empty: string;
  /** Resends a delivery. */
  readonly resend: (id: string) => Promise<unknown>;
  /** Time zone of the dispatch. Default: the viewer's. */
  readonly timeZone?: string;
}) => {
  const writes = mayWrite(useUser());
  useWatch(list.items);
  return (
    <ListTable<Delivery>
      label={say("Deliveries")}
      list={list}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        { head: say("Notice"), cell: (delivery) => <Notice delivery={delivery} timeZone={timeZone} /> },
        ...others,
        {
          head: say("State"),
          // A column of its own would not fit on phones.
          cell: (delivery) => (
            <>
              <State delivery={delivery} />
              {writes && <Resend run={() => resend(delivery.id)} />}
            </>
          ),
        },
        { head: say("Attempts"), cell: (delivery) => <Attempts delivery={delivery} timeZone={timeZone} /> },
      ]}
    />
  );
};

const WATCH_EVERY_MS = 1500;

/** Refreshes the list while an attempt is due, since resending leaves no other trace. */
const useWatch = (deliveries: readonly Delivery[]): void => {
  const queries = useQueryClient();
  const nextMs = nextAttemptMs(deliveries);
  useEffect(() => {
    if (nextMs === null) return;
    const isOfDeliveries = ({ queryKey: [, path] }: { readonly queryKey: readonly unknown[] }) =>
      String(path).endsWith("/deliveries");
    const timer = setInterval(() => {
      if (isSoon(nextMs, new Date())) void queries.invalidateQueries({ predicate: isOfDeliveries });
    }, WATCH_EVERY_MS);
    return () => clearInterval(timer);
  }, [queries, nextMs]);
};

interface Row {
  readonly delivery: Delivery;
  readonly timeZone?: string | undefined;
}

const Notice = ({ delivery: { event, created_at }, timeZone }: Row) => (
  <>
    {deliveryEvents[event]}
    <div className="text-muted">{exact(created_at, timeZone)}</div>
  </>
);

const State = ({ delivery }: Row) => {
  const untilMs = untilAttemptMs(delivery, useNow());
  return (
    <>
      <Badge tone={tones[delivery.state]}>{deliveryStates[delivery.state]}</Badge>
      {untilMs !== null && (
        <div className="text-sm text-muted">
          {untilMs === 0 ? say("sending…") : say("next attempt in {time}", { time: duration(untilMs) })}
        </div>
      )}
    </>
  );
};

const Attempts = ({ delivery: { attempts }, timeZone }: Row) => {
  const last = attempts.at(-1);
  if (last === undefined) return <span className="text-muted">{say("none yet")}</span>;
  return (
    <details>
      <summary>
        {say("{n, plural, one {# attempt} other {# attempts}}", { n: attempts.length })} <OutcomeBadge outcome={last} />
      </summary>
      <ol className="mt-2 grid gap-1.5">
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <OutcomeBadge outcome={attempt} /> {exact(attempt.at, timeZone)}
            <div className="text-muted">{outcomeDetail(attempt)}</div>
            <div className="-ml-3">
              <AttemptExchange of={attempt} timeZone={timeZone} />
            </div>
          </li>
        ))}
      </ol>
    </details>
  );
};

const Resend = ({ run }: { readonly run: () => Promise<unknown> }) => {
  const resend = useChange(run, { done: say("The delivery will be sent again. Its attempts show the result.") });
  return (
    <div className="mt-1">
      <Button onClick={() => resend.run(undefined)} busy={resend.isPending && say("Sending…")}>
        {say("Resend")}
      </Button>
    </div>
  );
};
