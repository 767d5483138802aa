import type { operator } from "@curtail/contract";
import { useOperatorList } from "../../../api/use-call.js";
import { dayAndClock, exact } from "../../../format/time.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { ListTable } from "../../../ui/table.js";
import { DispatchLink } from "../dispatch-link.js";

type Acknowledged = operator.VenEvent["acknowledgement"];

/** What the VEN was shown, and what it answered. */
export const Events = ({ id }: { readonly id: string }) => (
  <Card flush title="Events that it knows">
    <ListTable
      label="Events"
      list={useOperatorList("/vens/{id}/events", { params: { id } }, { everyMs: 15_000 })}
      keyOf={({ dispatch_id }) => dispatch_id}
      empty="None yet. It is shown dispatches of its sites when it polls, or as they are pushed."
      columns={[
        { head: "Dispatch", cell: ({ dispatch_id }) => <DispatchLink id={dispatch_id} /> },
        { head: "First shown", cell: ({ first_shown_at }) => exact(first_shown_at), wide: true },
        {
          head: "Modification",
          cell: ({ modification_number, modification_shown_at }) =>
            `${modification_number}, shown ${dayAndClock(modification_shown_at)}`,
        },
        { head: "Its answer", cell: ({ acknowledgement }) => <Answer of={acknowledgement} /> },
      ]}
    />
  </Card>
);

const Answer = ({ of }: { readonly of: Acknowledged }) => {
  if (of === null) return <Badge tone="warn">None yet</Badge>;
  const { opt, response_code, modification_number, at } = of;
  return (
    <>
      <Badge tone={opt === "optIn" ? "good" : "bad"}>{opt === "optIn" ? "Takes part" : "Opts out"}</Badge>{" "}
      <span className="text-muted">
        modification {modification_number}, {dayAndClock(at)}
        {response_code === "200" ? "" : `, code ${response_code}`}
      </span>
    </>
  );
};
