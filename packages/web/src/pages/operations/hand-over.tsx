import type { operator } from "@curtail/contract";
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
      title="Hand-over"
      lead="What the next shift has to know, as it was when a shift ended."
      actions={
        mayWrite(useUser()) && (
          <ButtonLink look="primary" to="/operations/hand-over/new">
            New shift report
          </ButtonLink>
        )
      }
    />
    <Card flush>
      <ListTable<operator.ShiftReportItem>
        label="Shift reports"
        list={useOperatorList("/shift-reports", { query: {} })}
        keyOf={({ id }) => id}
        empty="No shift reports yet. Make one at the end of a shift."
        columns={[
          {
            head: "Shift",
            cell: ({ id, from_time, to_time }) => (
              <TextLink to="/operations/hand-over/$id" params={{ id }}>
                <Period start={from_time} end={to_time} />
              </TextLink>
            ),
          },
          { head: "Summary", cell: ({ summary }) => <span className="line-clamp-2">{summary || "–"}</span> },
          { head: "Dispatches", number: true, cell: ({ dispatches }) => count(dispatches) },
          { head: "Alarms left", number: true, cell: ({ alarms_open }) => count(alarms_open) },
          { head: "By", cell: ({ kept_by, kept_by_name }) => actorWords(kept_by, kept_by_name) },
        ]}
      />
    </Card>
  </>
);
