import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { callOperator } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { useFormChange } from "../../api/use-change.js";
import { Found } from "../../parts/found.js";
import { SimulatedMark } from "../../parts/simulated-mark.js";
import { draftOf, type Program, type ProgramDraft, settingsOf } from "../../rules/program-draft.js";
import { mayWrite } from "../../rules/role.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { PageTimes } from "../../ui/page-zone.js";
import { TextLink } from "../../ui/text-link.js";
import { NextStep } from "./first-steps/next-step.js";
import { EnrolledSites } from "./program/enrolled-sites.js";
import { HolidaysCard } from "./program/holidays-card.js";
import { ProgramFacts } from "./program/program-facts.js";
import { ProgramForm } from "./program/program-form.js";
import { Terms } from "./program/terms.js";

const route = getRouteApi("/operations/programs/$id");

/** One program: its settings and its sites. */
export const ProgramPage = () => {
  const { id } = route.useParams();
  const writes = mayWrite(useUser());
  return (
    <Found of={useOperator("/programs/{id}", { params: { id } })} what="program" back="/operations/programs">
      {(program) => (
        <PageTimes isFixed timeZones={[program.timezone]} whose={program.name}>
          <PageHead
            title={program.name}
            tab={say("{name} · Program", { name: program.name })}
            lead={
              <>
                <TextLink to="/operations/programs">{say("Programs")}</TextLink>
                <SimulatedMark of={program} />
              </>
            }
            actions={
              <TextLink to="/operations/reports" search={{ by: "dispatch", program: id, period: "year" }}>
                {say("Compare its dispatches")}
              </TextLink>
            }
          />
          <NextStep />
          <Stack>
            <Card
              title={say("Settings")}
              actions={
                writes && (
                  <DialogButton label={say("Change")} title={say("Change {name}", { name: program.name })}>
                    {(close) => <Change program={program} onDone={close} />}
                  </DialogButton>
                )
              }
            >
              <ProgramFacts program={program} />
            </Card>
            {program.holiday_calendar !== null && <HolidaysCard program={program} writes={writes} />}
            <EnrolledSites program={program} writes={writes} />
            <Terms program={program} writes={writes} />
          </Stack>
        </PageTimes>
      )}
    </Found>
  );
};

const Change = ({ program, onDone }: { readonly program: Program; readonly onDone: () => void }) => {
  const change = useFormChange(
    (draft: ProgramDraft) =>
      callOperator("PATCH", "/programs/{id}", { params: { id: program.id }, body: settingsOf(draft) }),
    { done: say("Saved. Existing dispatches keep the settings they were created with."), after: onDone },
  );
  return (
    <ProgramForm
      initial={draftOf(program)}
      onSend={change.run}
      action={say("Save")}
      busy={change.isPending && say("Saving…")}
      error={change.error}
    />
  );
};
