import type { operator } from "@curtail/contract";
import { Link } from "@tanstack/react-router";
import { count, power } from "../../../format/quantity.js";
import { countdown } from "../../../format/time.js";
import { Badge } from "../../../ui/badge.js";
import { ButtonLink } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Period } from "../../../ui/page-zone.js";
import { Table } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";

const DAY_MS = 86_400_000;

/** Dispatches of the next days, soonest first. */
export const UpcomingDispatches = ({ dispatches }: { readonly dispatches: readonly operator.DispatchOverview[] }) => {
  const now = useNow();
  return (
    <Card
      title="Upcoming"
      flush
      actions={
        <ButtonLink to="/operations/dispatches" search={{ state: "upcoming" }}>
          All dispatches
        </ButtonLink>
      }
    >
      <Table<operator.DispatchOverview>
        label="Upcoming dispatches"
        rows={dispatches}
        keyOf={({ id }) => id}
        empty="No dispatches start in the next 7 days."
        columns={[
          {
            head: "Program",
            cell: ({ id, program_name, test, commitment_kw }) => (
              <>
                <Link
                  to="/operations/dispatches/$id"
                  params={{ id }}
                  className="font-medium text-accent hover:underline"
                >
                  {program_name}
                </Link>{" "}
                {test && <Badge tone="warn">test</Badge>}
                <div className="text-muted md:hidden">{power(commitment_kw)}</div>
              </>
            ),
          },
          {
            head: "When",
            cell: (dispatch) => (
              <>
                {Date.parse(dispatch.start_time) - now.getTime() < DAY_MS && (
                  <div className="font-semibold wall:text-lg">starts in {countdown(dispatch.start_time, now)}</div>
                )}
                <div className="text-muted">
                  <Period start={dispatch.start_time} end={dispatch.end_time} />
                </div>
              </>
            ),
          },
          { head: "Sites", number: true, wide: true, cell: ({ sites }) => count(sites) },
          { head: "Commitment", number: true, wide: true, cell: ({ commitment_kw }) => power(commitment_kw) },
        ]}
      />
    </Card>
  );
};
