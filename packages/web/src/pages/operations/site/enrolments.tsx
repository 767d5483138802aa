import { useOperatorList } from "../../../api/use-call.js";
import { power } from "../../../format/quantity.js";
import { Card } from "../../../ui/card.js";
import { ListTable } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import type { Site } from "./site-columns.js";
import { TryBaselines } from "./try-baselines.js";

/** Programs in which the site is enrolled; changed on the programs' pages. */
export const Enrolments = ({ site: { id } }: { readonly site: Site }) => (
  <Card flush title="Enrolments">
    <ListTable
      label="Enrolments"
      list={useOperatorList("/sites/{id}/enrolments", { params: { id } })}
      keyOf={({ program_id }) => program_id}
      empty={
        <>
          Not enrolled yet, so it cannot be dispatched. Enrol it on the page of a{" "}
          <TextLink to="/operations/programs">program</TextLink>.
        </>
      }
      columns={[
        {
          head: "Program",
          cell: ({ program_id, program_name }) => (
            <TextLink to="/operations/programs/$id" params={{ id: program_id }}>
              {program_name}
            </TextLink>
          ),
        },
        {
          head: "Commitment",
          cell: ({ commitment }) => (commitment === null ? "none agreed" : power(commitment)),
          number: true,
        },
        { head: "Baseline", cell: ({ baseline }) => (baseline === null ? "the program's" : "its own"), wide: true },
        { head: "Fit", cell: ({ program_id }) => <TryBaselines siteId={id} programId={program_id} /> },
      ]}
    />
  </Card>
);
