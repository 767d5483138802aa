import { MIN_STALE_SECONDS, NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { AskedTimezone } from "../../../parts/timezone-field.js";
import { methodFault } from "../../../rules/baseline.js";
import { levelWords, type ProgramDraft, typeWords } from "../../../rules/program-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Checkbox, Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { type Draft, useDraft } from "../../../ui/use-draft.js";
import { BaselineFields } from "./baseline-fields.js";
import { HolidayFields } from "./holiday-fields.js";

const typeChoices = Object.entries(typeWords).map(([value, label]) => ({ value, label }));

/** All settings of a program. */
export const ProgramForm = ({
  initial,
  onSend,
  action,
  busy,
  error,
}: {
  readonly initial: ProgramDraft;
  readonly onSend: (draft: ProgramDraft) => void;
  readonly action: string;
  readonly busy: string | false;
  readonly error: Error | null;
}) => {
  const draft = useDraft(initial);
  return (
    <Form onSend={() => onSend(draft.values)} error={error}>
      <Field label={say("Name")} maxLength={NAME_CHARACTERS} {...draft.text("name")} />
      <AskedTimezone
        label={say("Time zone")}
        {...draft.text("timezone")}
        onOffer={(timezone) => draft.set({ timezone })}
      />
      <Field label={say("Market (optional)")} maxLength={NAME_CHARACTERS} {...draft.text("market")} />
      <Select label={say("Kind")} choices={typeChoices} {...draft.text("program_type")} />
      <Field
        label={say("Cut-off of availability blocks (minutes)")}
        hint={say("How long before its start a participant must add an availability block.")}
        type="number"
        min={0}
        {...draft.text("cutoff")}
        name="schedule_cutoff_seconds"
      />
      <OpenAdrFields draft={draft} />
      <BaselineFields draft={draft} />
      <HolidayFields draft={draft} />
      <Checkbox
        label={say("Baselines leave out days with test dispatches, as they do days with other dispatches")}
        {...draft.tick("testsAreEvents")}
        name="tests_are_events"
      />
      <Field
        label={say("Corrections change results for (days, optional)")}
        hint={say("After the end of a dispatch. Later corrections are listed with the result. Empty: for ever.")}
        type="number"
        min={1}
        {...draft.text("corrections_days")}
      />
      <Field
        label={say("Longest dispatch without an end (hours)")}
        hint={say("Operators get an alarm about a longer one until it ends.")}
        type="number"
        min={1}
        required
        {...draft.text("longest_open_hours")}
      />
      <Checkbox
        label={say("Public: over OpenADR 3, the VENs of all accounts see it, also those that have nothing in it")}
        {...draft.tick("isPublic")}
        name="public"
      />
      <LimitFields draft={draft} />
      <Actions>
        <Button type="submit" look="primary" disabled={methodFault(draft.values) !== null} busy={busy}>
          {action}
        </Button>
      </Actions>
    </Form>
  );
};

const OpenAdrFields = ({ draft }: { readonly draft: Draft<ProgramDraft> }) => (
  <>
    <Select
      label={say("OpenADR signal level")}
      choices={[
        { value: "", label: say("Depends on the kind of program") },
        ...Object.entries(levelWords).map(([value, label]) => ({ value, label })),
      ]}
      {...draft.text("level")}
      name="openadr.level"
    />
    {draft.values.level !== "" && (
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label={say("Ramp-up (minutes, optional)")}
          type="number"
          min={0}
          {...draft.text("ramp_up")}
          name="openadr.ramp_up_seconds"
        />
        <Field
          label={say("Recovery (minutes, optional)")}
          type="number"
          min={0}
          {...draft.text("recovery")}
          name="openadr.recovery_seconds"
        />
      </div>
    )}
  </>
);

const LimitFields = ({ draft }: { readonly draft: Draft<ProgramDraft> }) => (
  <>
    <Checkbox label={say("Custom status limits")} {...draft.tick("ownLimits")} />
    {draft.values.ownLimits && (
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label={say("Well below commitment: less than (%)")}
          type="number"
          min={0}
          {...draft.text("amber_from")}
          name="status_limits.amber_from"
        />
        <Field
          label={say("Below commitment: less than (%)")}
          type="number"
          min={0}
          {...draft.text("green_from")}
          name="status_limits.green_from"
        />
        <Field
          label={say("Well above commitment: more than (%)")}
          type="number"
          min={0}
          {...draft.text("green_to")}
          name="status_limits.green_to"
        />
        <Field
          label={say("Not known: coverage below (%)")}
          type="number"
          min={0}
          {...draft.text("least_coverage")}
          name="status_limits.least_coverage"
        />
        <Field
          label={say("Not known: last reading older than (s)")}
          hint={say("or twice the meter's interval, if longer")}
          type="number"
          min={MIN_STALE_SECONDS}
          {...draft.text("stale_seconds")}
          name="status_limits.stale_seconds"
        />
      </div>
    )}
  </>
);
