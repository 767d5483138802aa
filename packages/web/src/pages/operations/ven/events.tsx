import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useOperatorList } from "../../../api/use-call.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { DayAndClock, Exact } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { ListTable } from "../../../ui/table.js";
import { DispatchLink } from "../dispatch-link.js";

type Acknowledged = operator.VenEvent["acknowledgement"];

/** Events sent to the VEN and its responses. */
export const Events = ({ id }: { readonly id: string }) => (
  <Card flush title={say("Events known to the VEN")}>
    <ListTable
      label={say("Events")}
      list={useOperatorList("/vens/{id}/events", { params: { id } }, { everyMs: 15_000 })}
      keyOf={({ dispatch_id }) => dispatch_id}
      empty={say("No events yet. The VEN receives dispatches of its sites by poll or push.")}
      columns={[
        { head: say("Dispatch"), cell: ({ dispatch_id }) => <DispatchLink id={dispatch_id} /> },
        { head: say("First sent"), cell: ({ first_shown_at }) => <Exact at={first_shown_at} />, wide: true },
        {
          head: say("Modification"),
          cell: ({ modification_number, modification_shown_at }) =>
            sayParts("{n}, sent {time}", {
              n: modification_number,
              time: <DayAndClock at={modification_shown_at} />,
            }),
        },
        { head: say("Acknowledgement"), cell: ({ acknowledgement }) => <Answer of={acknowledgement} /> },
      ]}
    />
  </Card>
);

const Answer = ({ of }: { readonly of: Acknowledged }) => {
  if (of === null) return <Badge tone="warn">{say("None yet", {}, "acknowledgement")}</Badge>;
  const { opt, response_code, modification_number, at } = of;
  return (
    <>
      <Badge tone={opt === "optIn" ? "good" : "bad"}>{opt === "optIn" ? say("Opted in") : say("Opted out")}</Badge>{" "}
      <span className="text-muted">
        {sayParts("modification {n}, {time}", { n: modification_number, time: <DayAndClock at={at} /> })}
        {response_code !== "200" && `, ${say("code {code}", { code: response_code }, "of a response")}`}
      </span>
    </>
  );
};
