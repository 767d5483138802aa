import type { operator } from "@curtail/contract";
import { callOperator } from "../../../api/call.js";
import { mayWrite, useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useChange } from "../../../api/use-change.js";
import { dayAndClock, exact } from "../../../format/time.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { ListTable } from "../../../ui/table.js";
import { DispatchLink } from "../dispatch-link.js";
import { outcomeWords } from "./outcome.js";

type Delivery = operator.Delivery;

const states: Readonly<Record<Delivery["state"], readonly [Tone, string]>> = {
  pending: ["info", "Pending"],
  delivered: ["good", "Delivered"],
  failed: ["bad", "Failed"],
  dropped: ["neutral", "Dropped"],
};

/** What one webhook was sent, newest first. */
export const Deliveries = ({
  webhookId,
  environment,
}: {
  readonly webhookId: string;
  readonly environment: "production" | "sandbox";
}) => {
  const writes = mayWrite(useUser());
  const list = useOperatorList("/webhooks/{id}/deliveries", { params: { id: webhookId }, query: { environment } });
  return (
    <div className="-mx-4 mt-3 border-t border-line">
      <ListTable
        label="Deliveries"
        list={list}
        keyOf={({ id }) => id}
        empty="Nothing was sent yet. The first dispatch to this participant is."
        columns={[
          { head: "When", cell: ({ created_at }) => dayAndClock(created_at) },
          {
            head: "Of",
            cell: ({ event, dispatch_id }) => (
              <>
                {event === "dispatch.create" ? "New dispatch " : "Changed dispatch "}
                {environment === "production" ? <DispatchLink id={dispatch_id} /> : <code>{dispatch_id}</code>}
              </>
            ),
          },
          { head: "State", cell: ({ state }) => <Badge tone={states[state][0]}>{states[state][1]}</Badge> },
          { head: "Attempts", cell: (delivery) => <Attempts of={delivery} /> },
          ...(writes && environment === "production"
            ? [{ head: "Action", cell: ({ id }: Delivery) => <Resend id={id} /> }]
            : []),
        ]}
      />
    </div>
  );
};

const Attempts = ({ of: { attempts, next_attempt_at } }: { readonly of: Delivery }) => (
  <div className="grid min-w-48 gap-0.5">
    {attempts.map((attempt) => (
      <div key={attempt.at}>
        <span className={attempt.error === null ? "text-good" : "text-bad"}>{exact(attempt.at)}</span>:{" "}
        {outcomeWords(attempt)}
      </div>
    ))}
    {attempts.length === 0 && <span className="text-muted">none yet</span>}
    {next_attempt_at !== null && <span className="text-muted">next at {dayAndClock(next_attempt_at)}</span>}
  </div>
);

const Resend = ({ id }: { readonly id: string }) => {
  const resend = useChange(() => callOperator("POST", "/deliveries/{id}/resend", { params: { id } }), {
    done: ({ attempts }) => {
      const last = attempts.at(-1);
      return last === undefined ? "It goes out." : `Sent once more: ${outcomeWords(last)}.`;
    },
  });
  return (
    <Button onClick={() => resend.run(undefined)} busy={resend.isPending && "Sending…"}>
      Resend
    </Button>
  );
};
