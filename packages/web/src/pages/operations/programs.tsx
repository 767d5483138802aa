import { say } from "@curtail/words/page";
import { useNavigate } from "@tanstack/react-router";
import { callOperator } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useOperatorList } from "../../api/use-call.js";
import { useFormChange } from "../../api/use-change.js";
import { SimulatedMark } from "../../parts/simulated-mark.js";
import { newProgramDraft, type ProgramDraft, settingsOf, typeWords } from "../../rules/program-draft.js";
import { mayWrite } from "../../rules/role.js";
import { Card, PageHead } from "../../ui/card.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { ListTable } from "../../ui/table.js";
import { TextLink } from "../../ui/text-link.js";
import { NextStep } from "./first-steps/next-step.js";
import { ProgramForm } from "./program/program-form.js";

/** The programs under which sites are dispatched. */
export const ProgramsPage = () => {
  return (
    <>
      <PageHead
        title={say("Programs")}
        lead={say("Programs define how sites are dispatched and how their reduction is measured.")}
        actions={
          mayWrite(useUser()) && (
            <DialogButton look="primary" label={say("New program")} address="new">
              {() => <NewProgram />}
            </DialogButton>
          )
        }
      />
      <NextStep />
      <Card flush>
        <ListTable
          label={say("Programs")}
          list={useOperatorList("/programs", {})}
          keyOf={({ id }) => id}
          empty={say("No programs yet. Create one, then enrol the sites that it may dispatch.")}
          columns={[
            {
              head: say("Name"),
              cell: (program) => (
                <>
                  <TextLink to="/operations/programs/$id" params={{ id: program.id }}>
                    {program.name}
                  </TextLink>
                  <SimulatedMark of={program} />
                </>
              ),
            },
            { head: say("Kind"), cell: ({ program_type }) => typeWords[program_type] },
            { head: say("Market"), cell: ({ market }) => market || "–", wide: true },
            { head: say("Time zone"), cell: ({ timezone }) => timezone },
          ]}
        />
      </Card>
    </>
  );
};

const NewProgram = () => {
  const navigate = useNavigate();
  const create = useFormChange(
    (draft: ProgramDraft) => callOperator("POST", "/programs", { body: settingsOf(draft) }),
    {
      done: ({ name }) => say("{name} was created. Enrol sites next.", { name }, "program"),
      after: ({ id }) => void navigate({ to: "/operations/programs/$id", params: { id }, replace: true }),
    },
  );
  return (
    <ProgramForm
      initial={newProgramDraft}
      onSend={create.run}
      action={say("Create")}
      busy={create.isPending && say("Creating…")}
      error={create.error}
    />
  );
};
