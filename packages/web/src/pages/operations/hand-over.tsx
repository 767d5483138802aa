import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useUser } from "../../api/session.js";
import { useOperatorList } from "../../api/use-call.js";
import { count } from "../../format/quantity.js";
import { mayWrite } from "../../rules/role.js";
import { ButtonLink } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Period } from "../../ui/page-zone.js";
import { ListTable } from "../../ui/table.js";
import { TextLink } from "../../ui/text-link.js";
import { actorWords } from "./audit/words.js";

/** Shift reports that were kept. */
export const HandOverPage = () => (
  <>
    <PageHead
      title={say("Hand-over")}
      lead={say("What the next shift has to know, as it was when a shift ended.")}
      actions={
        mayWrite(useUser()) && (
          <ButtonLink look="primary" to="/operations/hand-over/new">
            {say("New shift report")}
          </ButtonLink>
        )
      }
    />
    <Card flush>
      <ListTable<operator.ShiftReportItem>
        label={say("Shift reports")}
        list={useOperatorList("/shift-reports", { query: {} })}
        keyOf={({ id }) => id}
        empty={say("No shift reports yet. Make one at the end of a shift.")}
        columns={[
          {
            head: say("Shift", {}, "of work"),
            cell: ({ id, from_time, to_time }) => (
              <TextLink to="/operations/hand-over/$id" params={{ id }}>
                <Period start={from_time} end={to_time} />
              </TextLink>
            ),
          },
          { head: say("Summary"), cell: ({ summary }) => <span className="line-clamp-2">{summary || "–"}</span> },
          { head: say("Dispatches"), number: true, cell: ({ dispatches }) => count(dispatches) },
          { head: say("Alarms left"), number: true, cell: ({ alarms_open }) => count(alarms_open) },
          { head: say("By", {}, "person"), cell: ({ kept_by, kept_by_name }) => actorWords(kept_by, kept_by_name) },
        ]}
      />
    </Card>
  </>
);
