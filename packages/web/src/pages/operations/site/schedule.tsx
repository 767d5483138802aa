import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useChange } from "../../../api/use-change.js";
import { power } from "../../../format/quantity.js";
import { dayAndClock } from "../../../format/time.js";
import { Card } from "../../../ui/card.js";
import { ConfirmButton } from "../../../ui/dialog-button.js";
import { ListTable } from "../../../ui/table.js";
import type { Site } from "./site-columns.js";

interface Block {
  readonly id: string;
}

/** Availability blocks of the site, set by the participant. */
export const Schedule = ({ site: { id, timezone }, writes }: { readonly site: Site; readonly writes: boolean }) => (
  <Card flush title={say("Not available ({zone})", { zone: timezone }, "site")}>
    <ListTable
      label={say("Availability blocks")}
      list={useOperatorList("/sites/{id}/schedule", { params: { id } })}
      keyOf={({ id: block }) => block}
      empty={say("No availability blocks: the site can be dispatched at any time. Participants add blocks.")}
      columns={[
        {
          head: say("From ({zone})", { zone: timezone }, "start of a period"),
          cell: ({ start_time }) => dayAndClock(start_time, timezone),
        },
        {
          head: say("Left", {}, "available power"),
          cell: ({ available_kw }) =>
            available_kw === null ? say("nothing", {}, "available power") : power(available_kw),
          wide: true,
        },
        { head: say("To", {}, "end of a period"), cell: ({ end_time }) => dayAndClock(end_time, timezone) },
        { head: say("Added", {}, "time"), cell: ({ created_at }) => dayAndClock(created_at, timezone), wide: true },
        ...(writes ? [{ head: say("Action"), cell: (block: Block) => <Remove id={block.id} /> }] : []),
      ]}
    />
  </Card>
);

const Remove = ({ id }: { readonly id: string }) => {
  const remove = useChange(() => callOperator("DELETE", "/schedule/{id}", { params: { id } }), {
    done: say("Block removed."),
  });
  return (
    <ConfirmButton
      label={say("Remove")}
      title={say("Remove this block?")}
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      {say("New dispatches may include the site in this period, although its participant marked it as not available.")}
    </ConfirmButton>
  );
};
