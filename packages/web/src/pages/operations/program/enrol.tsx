import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { baselineDraft, methodFault } from "../../../rules/baseline.js";
import { type EnrolmentTerms, enrolmentBody } from "../../../rules/enrolment-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { EnrolmentFields } from "./enrolment-fields.js";
import { SitePicker } from "./site-picker.js";

interface Target {
  readonly programId: string;
  readonly siteId: string;
  readonly onDone: () => void;
}

/** Enrols a site of any account. */
export const Enrol = ({ programId, onDone }: { readonly programId: string; readonly onDone: () => void }) => {
  const [site, setSite] = useState<{ readonly id: string; readonly name: string } | null>(null);
  if (site === null) return <SitePicker onPick={setSite} />;
  return (
    <div className="grid gap-3">
      <div className="flex items-center justify-between gap-2">
        <span className="font-medium">{site.name}</span>
        <Button onClick={() => setSite(null)}>{say("Choose another site")}</Button>
      </div>
      <EnrolmentForm
        programId={programId}
        siteId={site.id}
        onDone={onDone}
        initial={{ commitment: "", ...baselineDraft(null) }}
        action={say("Enrol")}
      />
    </div>
  );
};

export const ChangeEnrolment = ({
  enrolment: { program_id, site_id, commitment, baseline },
  onDone,
}: {
  readonly enrolment: operator.EnrolledSite;
  readonly onDone: () => void;
}) => (
  <EnrolmentForm
    programId={program_id}
    siteId={site_id}
    onDone={onDone}
    initial={{ commitment: commitment === null ? "" : String(commitment), ...baselineDraft(baseline) }}
    action={say("Save")}
  />
);

const EnrolmentForm = ({
  programId,
  siteId,
  onDone,
  initial,
  action,
}: Target & { readonly initial: EnrolmentTerms; readonly action: string }) => {
  const draft = useDraft(initial);
  const enrol = useFormChange(
    (wanted: EnrolmentTerms) =>
      callOperator("PUT", "/programs/{id}/sites/{site_id}", {
        params: { id: programId, site_id: siteId },
        body: enrolmentBody(wanted),
      }),
    { done: say("Saved. Applies to new dispatches."), after: onDone },
  );
  return (
    <Form onSend={() => enrol.run(draft.values)} error={enrol.error}>
      <EnrolmentFields draft={draft} />
      <Actions>
        <Button
          type="submit"
          look="primary"
          disabled={methodFault(draft.values) !== null}
          busy={enrol.isPending && say("Saving…")}
        >
          {action}
        </Button>
      </Actions>
    </Form>
  );
};
