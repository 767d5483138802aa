import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useOperatorList } from "../../../api/use-call.js";
import { power } from "../../../format/quantity.js";
import { CutOffButton } from "../../../parts/cut-off-button.js";
import { Card } from "../../../ui/card.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { ListTable } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { EnrolSite } from "./enrol.js";
import type { Site } from "./site-columns.js";
import { TryBaselines } from "./try-baselines.js";

interface Enrolment {
  readonly program_id: string;
  readonly program_name: string;
}

/** Programs in which the site is enrolled. */
export const Enrolments = ({ site, writes }: { readonly site: Site; readonly writes: boolean }) => {
  const { id, name } = site;
  const list = useOperatorList("/sites/{id}/enrolments", { params: { id } });
  return (
    <Card
      flush
      title={say("Enrolments")}
      actions={
        writes && (
          <DialogButton label={say("Enrol")} title={say("Enrol {name}", { name })} address="enrol">
            {(close) => <EnrolSite site={site} enrolled={list} onDone={close} />}
          </DialogButton>
        )
      }
    >
      <ListTable
        label={say("Enrolments")}
        list={list}
        keyOf={({ program_id }) => program_id}
        empty={say("Not enrolled yet, so it cannot be dispatched.")}
        columns={[
          {
            head: say("Program"),
            cell: ({ program_id, program_name }) => (
              <TextLink to="/operations/programs/$id" params={{ id: program_id }}>
                {program_name}
              </TextLink>
            ),
          },
          {
            head: say("Commitment"),
            cell: ({ commitment }) => (commitment === null ? say("none agreed", {}, "commitment") : power(commitment)),
            number: true,
          },
          {
            head: say("Baseline"),
            cell: ({ baseline }) =>
              baseline === null ? say("the program's", {}, "baseline") : say("its own", {}, "baseline"),
            wide: true,
          },
          {
            head: say("Action"),
            // Below each other on phones.
            cell: (enrolment) => (
              <span className="flex flex-wrap gap-1">
                <TryBaselines siteId={id} programId={enrolment.program_id} />
                {writes && <Withdraw site={site} from={enrolment} />}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
};

const Withdraw = ({ site, from: { program_id, program_name } }: { readonly site: Site; readonly from: Enrolment }) => {
  return (
    <CutOffButton
      label={say("Withdraw")}
      title={say("Withdraw {site} from {program}?", { site: site.name, program: program_name })}
      run={(isConfirmed) =>
        callOperator("DELETE", "/programs/{id}/sites/{site_id}", {
          params: { id: program_id, site_id: site.id },
          query: { confirm_running: isConfirmed ? "true" : "false" },
        })
      }
      done={say("{site} was withdrawn from {program}.", { site: site.name, program: program_name })}
    >
      {say("New dispatches of {program} will not include the site. Existing dispatches do not change.", {
        program: program_name,
      })}
    </CutOffButton>
  );
};
