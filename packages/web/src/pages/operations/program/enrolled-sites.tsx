import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useOperatorList } from "../../../api/use-call.js";
import { power } from "../../../format/quantity.js";
import { CutOffButton } from "../../../parts/cut-off-button.js";
import { baselineWords } from "../../../rules/baseline.js";
import type { Program } from "../../../rules/program-draft.js";
import { Card } from "../../../ui/card.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { ListTable } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { AccountLink } from "../account-link.js";
import { ChangeEnrolment, Enrol } from "./enrol.js";

type Enrolment = operator.EnrolledSite;

/** The sites that a dispatch of the program targets, and their commitments. */
export const EnrolledSites = ({ program, writes }: { readonly program: Program; readonly writes: boolean }) => (
  <Card
    flush
    title={say("Enrolled sites")}
    actions={
      writes && (
        <DialogButton look="primary" label={say("Enrol a site")}>
          {(close) => <Enrol programId={program.id} onDone={close} />}
        </DialogButton>
      )
    }
  >
    <ListTable<Enrolment>
      label={say("Enrolled sites")}
      list={useOperatorList("/programs/{id}/sites", { params: { id: program.id } })}
      keyOf={({ site_id }) => site_id}
      empty={say("No sites yet. Enrol the sites that this program may dispatch.")}
      columns={[
        {
          head: say("Site"),
          cell: ({ site_id, site_name }) => (
            <TextLink to="/operations/sites/$id" params={{ id: site_id }}>
              {site_name}
            </TextLink>
          ),
        },
        {
          head: say("Account"),
          cell: ({ account_id, account_name }) => <AccountLink id={account_id} name={account_name} />,
          wide: true,
        },
        {
          head: say("Commitment"),
          cell: ({ commitment }) => (commitment === null ? say("none agreed", {}, "commitment") : power(commitment)),
          number: true,
        },
        {
          head: say("Baseline"),
          cell: ({ baseline }) => (baseline === null ? say("the program's", {}, "baseline") : baselineWords(baseline)),
          wide: true,
        },
        ...(writes
          ? [
              {
                head: say("Action"),
                cell: (enrolment: Enrolment) => <EnrolmentActions of={enrolment} program={program} />,
              },
            ]
          : []),
      ]}
    />
  </Card>
);

const EnrolmentActions = ({ of, program }: { readonly of: Enrolment; readonly program: Program }) => {
  const { site_id, site_name } = of;
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton label={say("Change")} title={say("Enrolment of {site}", { site: site_name })}>
        {(close) => <ChangeEnrolment enrolment={of} onDone={close} />}
      </DialogButton>
      <CutOffButton
        label={say("Withdraw")}
        title={say("Withdraw {site}?", { site: site_name })}
        run={(isConfirmed) =>
          callOperator("DELETE", "/programs/{id}/sites/{site_id}", {
            params: { id: program.id, site_id },
            query: { confirm_running: isConfirmed ? "true" : "false" },
          })
        }
        done={say("{site} was withdrawn.", { site: site_name })}
      >
        {say("New dispatches of {program} will not include the site. Existing dispatches do not change.", {
          program: program.name,
        })}
      </CutOffButton>
    </div>
  );
};
