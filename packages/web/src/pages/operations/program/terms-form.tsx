import { say } from "@curtail/words/page";
import { countedChoices, type TermsDraft } from "../../../rules/terms-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Checkbox, Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { type Draft, useDraft } from "../../../ui/use-draft.js";

/** All terms of a program from a month on; a part without a price is left out. */
export const TermsForm = ({
  initial,
  isKnown,
  onSend,
  busy,
  error,
}: {
  readonly initial: TermsDraft;
  readonly isKnown: boolean;
  readonly onSend: (draft: TermsDraft) => void;
  readonly busy: boolean;
  readonly error: Error | null;
}) => {
  const draft = useDraft(initial);
  return (
    <Form onSend={() => onSend(draft.values)} error={error}>
      <Field label={say("From month")} type="month" required disabled={isKnown} {...draft.text("from_month")} />
      <Field
        label={say("Currency")}
        hint={say("ISO 4217, such as USD.")}
        required
        maxLength={3}
        {...draft.text("currency")}
      />
      <CapacityFields draft={draft} />
      <EnergyFields draft={draft} />
      <PenaltyFields draft={draft} />
      <Actions>
        <Button type="submit" look="primary" busy={busy && say("Saving…")}>
          {say("Save")}
        </Button>
      </Actions>
    </Form>
  );
};

interface Part {
  readonly draft: Draft<TermsDraft>;
}

const CapacityFields = ({ draft }: Part) => (
  <>
    <Field
      label={say("Capacity: price per kW and month")}
      hint={say("For the commitment at the end of the month. Leave empty for none.")}
      inputMode="decimal"
      {...draft.text("capacityPrice")}
      name="capacity.price_per_kw"
    />
    {draft.values.capacityPrice !== "" && (
      <Checkbox label={say("Multiply by the month's performance")} {...draft.tick("byPerformance")} />
    )}
    {draft.values.capacityPrice !== "" && draft.values.byPerformance && (
      <>
        <Field
          label={say("Lowest performance (%)")}
          inputMode="decimal"
          {...draft.text("lowest")}
          name="capacity.factor.lowest"
        />
        <Field
          label={say("Highest performance (%)")}
          inputMode="decimal"
          {...draft.text("highest")}
          name="capacity.factor.highest"
        />
      </>
    )}
  </>
);

const EnergyFields = ({ draft }: Part) => (
  <>
    <Field
      label={say("Energy: price per kWh delivered")}
      hint={say("Leave empty for none.")}
      inputMode="decimal"
      {...draft.text("energyPrice")}
      name="energy.price_per_kwh"
    />
    {draft.values.energyPrice !== "" && (
      <>
        <Select label={say("Energy that is paid")} choices={countedChoices} {...draft.text("energyCounted")} />
        <Field
          label={say("Paid up to (% of the commitment, optional)")}
          inputMode="decimal"
          {...draft.text("highestShare")}
          name="energy.highest_share"
        />
      </>
    )}
  </>
);

const PenaltyFields = ({ draft }: Part) => (
  <>
    <Field
      label={say("Penalty: price per kWh of shortfall")}
      hint={say("Leave empty for none.")}
      inputMode="decimal"
      {...draft.text("penaltyPrice")}
      name="penalty.price_per_kwh"
    />
    {draft.values.penaltyPrice !== "" && (
      <>
        <Field
          label={say("Missing to (% of the commitment)")}
          required
          inputMode="decimal"
          {...draft.text("below")}
          name="penalty.below"
        />
        <Select label={say("Energy that is compared")} choices={countedChoices} {...draft.text("penaltyCounted")} />
        <Field
          label={say("At most per site and month (optional)")}
          inputMode="decimal"
          {...draft.text("highestPerMonth")}
          name="penalty.highest_per_month"
        />
        <Checkbox label={say("At most what the site earned in the month")} {...draft.tick("withinEarnings")} />
      </>
    )}
  </>
);
