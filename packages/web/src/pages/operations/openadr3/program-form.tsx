import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { EnvironmentField, type EnvironmentName } from "../../../parts/environment.js";
import type { OwnProgram } from "../../../rules/openadr3-event-draft.js";
import {
  changedProgramOf,
  hasPrices,
  newOwnProgram,
  newOwnProgramOf,
  type OwnProgramChange,
  type OwnProgramDraft,
  programChangeOf,
  purposeChoices,
} from "../../../rules/openadr3-program-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Checkbox, Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { AudienceFields } from "./audience-fields.js";

const NAME_CHARACTERS = 128;
const PUBLIC = say("Public: all VENs see it");

export const NewOwnProgram = ({
  environment,
  onDone,
}: {
  readonly environment: EnvironmentName;
  readonly onDone: () => void;
}) => {
  const draft = useDraft(newOwnProgram(environment));
  const create = useFormChange(
    (values: OwnProgramDraft) => callOperator("POST", "/openadr3-programs", { body: newOwnProgramOf(values) }),
    { done: ({ name }) => say("{name} was created. Add its first event.", { name }, "program"), after: onDone },
  );
  return (
    <Form onSend={() => create.run(draft.values)} error={create.error}>
      <Field label={say("Name")} maxLength={NAME_CHARACTERS} {...draft.text("name")} />
      <EnvironmentField value={draft.values.environment} onChange={(to) => draft.set({ environment: to })} />
      <Select label={say("Its events have")} choices={purposeChoices} {...draft.text("purpose")} />
      {hasPrices(draft.values.purpose) && (
        <Field
          label={say("Currency (optional)")}
          hint={say("A code of ISO 4217, such as EUR. If empty, each event gives its own.")}
          maxLength={3}
          {...draft.text("currency")}
        />
      )}
      <Checkbox label={PUBLIC} {...draft.tick("isPublic")} name="public" />
      {!draft.values.isPublic && <AudienceFields draft={draft} of="program" />}
      <Actions>
        <Button type="submit" look="primary" busy={create.isPending && say("Creating…")}>
          {say("Create")}
        </Button>
      </Actions>
    </Form>
  );
};

export const ChangeOwnProgram = ({
  program,
  onDone,
}: {
  readonly program: OwnProgram;
  readonly onDone: () => void;
}) => {
  const draft = useDraft(programChangeOf(program));
  const change = useFormChange(
    (values: OwnProgramChange) =>
      callOperator("PATCH", "/openadr3-programs/{id}", { params: { id: program.id }, body: changedProgramOf(values) }),
    { done: say("Saved."), after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <Field label={say("Name")} maxLength={NAME_CHARACTERS} {...draft.text("name")} />
      <Checkbox label={PUBLIC} {...draft.tick("isPublic")} name="public" />
      {!draft.values.isPublic && <AudienceFields draft={draft} of="program" />}
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Saving…")}>
          {say("Save")}
        </Button>
      </Actions>
    </Form>
  );
};
