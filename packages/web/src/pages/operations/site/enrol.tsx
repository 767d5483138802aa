import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useRef } from "react";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { TimezoneField } from "../../../parts/timezone-field.js";
import { methodFault } from "../../../rules/baseline.js";
import {
  type EnrolmentDraft,
  enrolmentBody,
  newEnrolmentDraft,
  newProgramBody,
  openPrograms,
} from "../../../rules/enrolment-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import type { Listed } from "../../../ui/listed.js";
import { Fault, Waiting } from "../../../ui/state.js";
import { useDraft } from "../../../ui/use-draft.js";
import { EnrolmentFields } from "../program/enrolment-fields.js";
import { usePrograms } from "../use-programs.js";
import type { Site } from "./site-columns.js";

interface Props {
  readonly site: Site;
  readonly enrolled: Listed<{ readonly program_id: string }>;
  readonly onDone: () => void;
}

/** Enrols a site in a program, or in a new one. */
export const EnrolSite = ({ site, enrolled, onDone }: Props) => {
  const { items, isWhole, error } = usePrograms();
  if (error !== null) return <Fault error={error} />;
  if (!isWhole || enrolled.isPending) return <Waiting />;
  return <EnrolForm site={site} programs={openPrograms(items, enrolled.items)} onDone={onDone} />;
};

const NEW = { value: "", label: say("A new program…") };

const EnrolForm = ({
  site,
  programs,
  onDone,
}: Omit<Props, "enrolled"> & { readonly programs: readonly { readonly id: string; readonly name: string }[] }) => {
  const draft = useDraft(newEnrolmentDraft(programs[0]?.id ?? "", site.timezone));
  const send = useEnrol(site.id, onDone);
  const isNew = draft.values.program === "";
  return (
    <Form onSend={() => send.run(draft.values)} error={send.error}>
      {programs.length > 0 && (
        <Select
          label={say("Program")}
          choices={[...programs.map(({ id, name }) => ({ value: id, label: name })), NEW]}
          {...draft.text("program")}
        />
      )}
      {isNew && (
        <>
          <Field
            label={say("Name of the new program")}
            hint={say("Its other settings have defaults. Change them on its page.")}
            maxLength={NAME_CHARACTERS}
            // The dialog had nothing to focus before the programs were loaded.
            ref={focus}
            {...draft.text("name")}
          />
          <TimezoneField label={say("Time zone of the program")} {...draft.text("timezone")} />
        </>
      )}
      <EnrolmentFields draft={draft} hasBaseline={!isNew} />
      <Actions>
        <Button
          type="submit"
          look="primary"
          disabled={methodFault(draft.values) !== null}
          busy={send.isPending && say("Enrolling…")}
        >
          {isNew ? say("Create the program and enrol") : say("Enrol")}
        </Button>
      </Actions>
    </Form>
  );
};

const focus = (field: HTMLInputElement | null): void => field?.focus();

const useEnrol = (siteId: string, onDone: () => void) => {
  // If only the enrolment fails, the next attempt uses the program that is there.
  const made = useRef<string | null>(null);
  return useFormChange(
    async (wanted: EnrolmentDraft) => {
      if (wanted.program === "")
        made.current ??= (await callOperator("POST", "/programs", { body: newProgramBody(wanted) })).id;
      const id = wanted.program === "" ? (made.current ?? "") : wanted.program;
      return callOperator("PUT", "/programs/{id}/sites/{site_id}", {
        params: { id, site_id: siteId },
        body: enrolmentBody(wanted),
      });
    },
    { done: say("Enrolled. New dispatches of the program include the site."), after: onDone },
  );
};
