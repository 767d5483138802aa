import { say } from "@curtail/words/page";
import { OWN_ZONE } from "../../../format/time.js";
import { TimezoneField } from "../../../parts/timezone-field.js";
import {
  described,
  isAlert,
  isPrice,
  type OwnEventDraft,
  type OwnProgram,
  type PayloadType,
  payloadChoices,
  previewOf,
  unitName,
  unitsOf,
  wantedCount,
} from "../../../rules/openadr3-event-draft.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { Field, Select, TextArea } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { LocalTimeField } from "../../../ui/local-time-field.js";
import { PageTimes } from "../../../ui/page-zone.js";
import { Empty } from "../../../ui/state.js";
import { type Draft, useDraft } from "../../../ui/use-draft.js";
import { useNow } from "../../../ui/use-now.js";
import { AudienceFields } from "./audience-fields.js";
import { ValueChart } from "./value-chart.js";

interface Drafting {
  readonly draft: Draft<OwnEventDraft>;
}

/** An event with its time and values, and the intervals that they make. */
export const EventForm = ({
  initial,
  programs,
  onSend,
  action,
  busy,
  error,
}: {
  readonly initial: OwnEventDraft;
  /** To choose from; empty: that of the event. */
  readonly programs: readonly OwnProgram[];
  readonly onSend: (draft: OwnEventDraft) => void;
  readonly action: string;
  readonly busy: string | false;
  readonly error: Error | null;
}) => {
  const draft = useDraft(initial);
  const { values } = draft;
  return (
    <PageTimes
      isFixed
      timeZones={values.when === "day" ? [values.timezone] : []}
      whose={say("the event", {}, "whose time zone")}
    >
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Card title={say("Event")}>
          <Form onSend={() => onSend(values)} error={error}>
            <What draft={draft} programs={programs} />
            <When draft={draft} />
            {isAlert(values.payload_type) ? (
              <TextArea label={say("Message")} rows={3} maxLength={1000} {...draft.text("message")} />
            ) : (
              <Values draft={draft} />
            )}
            <Field
              label={say("Name (optional)")}
              hint={say("Shown to people; VENs do not need it.")}
              maxLength={200}
              {...draft.text("name")}
            />
            <Field
              label={say("Priority (optional)")}
              hint={say("0 is the highest. A safe mode gets the lowest.")}
              inputMode="numeric"
              {...draft.text("priority")}
            />
            <AudienceFields draft={draft} of="event" />
            <Actions>
              <Button type="submit" look="primary" busy={busy}>
                {action}
              </Button>
            </Actions>
          </Form>
        </Card>
        <Preview draft={draft} />
      </div>
    </PageTimes>
  );
};

const What = ({ draft, programs }: Drafting & { readonly programs: readonly OwnProgram[] }) => {
  const { program_id, payload_type, units } = draft.values;
  const program = programs.find(({ id }) => id === program_id);
  const choices = unitsOf(payload_type);
  return (
    <>
      {programs.length > 0 && (
        <Select
          label={say("Program")}
          choices={programs.map(({ id, name }) => ({ value: id, label: name }))}
          {...draft.text("program_id")}
          onChange={({ target }) => draft.set(chosenProgram(draft.values, programs, target.value))}
        />
      )}
      <Select
        label={say("Kind of values")}
        choices={payloadChoices}
        hint={hintOf(payload_type)}
        {...draft.text("payload_type")}
        onChange={({ target }) => draft.set(chosenPayload(draft.values, target.value as PayloadType, program))}
      />
      {choices.length > 0 && (
        <Select
          label={say("Unit")}
          choices={choices.map((value) => ({ value, label: unitName({ units: value, currency: null }) }))}
          {...draft.text("units")}
          value={units}
        />
      )}
      {isPrice(payload_type) && (
        <Field
          label={say("Currency")}
          hint={say("A code of ISO 4217, such as EUR.")}
          maxLength={3}
          {...draft.text("currency")}
        />
      )}
    </>
  );
};

const chosenProgram = (values: OwnEventDraft, programs: readonly OwnProgram[], id: string) => {
  const program = programs.find((each) => each.id === id);
  const [payload] = program?.payloads ?? [];
  const type = payload?.payload_type ?? values.payload_type;
  return { program_id: id, ...chosenPayload(values, type as PayloadType, program) };
};

/** A safe mode never ends. */
const chosenPayload = ({ when }: OwnEventDraft, type: PayloadType, program: OwnProgram | undefined) => {
  const ends = when === "standing" ? ("from" as const) : when;
  return { ...described(type, program), when: isSafeMode(type) ? ("standing" as const) : ends };
};

const isSafeMode = (type: string): boolean => type.endsWith("_CAPACITY_SUBSCRIPTION");

const hintOf = (type: string): string | undefined => {
  if (isSafeMode(type))
    return say("Holds whenever no limit does: before, between and after limits, and without connection.");
  return type.endsWith("_CAPACITY_LIMIT")
    ? say("Needs a safe mode: first create an event with the power in safe mode, for the same VENs.")
    : undefined;
};

const When = ({ draft }: Drafting) => {
  const { when, start } = draft.values;
  return (
    <>
      <Select
        label={say("When")}
        choices={[
          { value: "day", label: say("A whole day") },
          { value: "from", label: say("From a time on") },
          { value: "standing", label: say("Until it is ended") },
        ]}
        {...draft.text("when")}
      />
      {when === "day" ? (
        <>
          <Field label={say("Day")} type="date" {...draft.text("day")} />
          <TimezoneField label={say("Time zone of the day")} {...draft.text("timezone")} />
        </>
      ) : (
        <LocalTimeField
          label={say("Start (optional; now if empty)")}
          name="start_time"
          value={start}
          onChange={(to) => draft.set({ start: to })}
          timeZone={OWN_ZONE}
          fault={null}
        />
      )}
      {when !== "standing" && (
        <Field
          label={say("Length of each interval (minutes)")}
          type="number"
          min={1}
          {...draft.text("interval_minutes")}
          name="interval_seconds"
        />
      )}
    </>
  );
};

const Values = ({ draft }: Drafting) => {
  const wanted = wantedCount(draft.values);
  const { day, when } = draft.values;
  const hint =
    wanted === null
      ? when === "standing"
        ? say("The value that holds until the event is ended.")
        : say("One value for each interval, separated by spaces or lines.")
      : say(
          "{day} has {n, plural, one {# interval} other {# intervals}}: enter as many values, separated by spaces or lines.",
          { day, n: wanted },
        );
  return <TextArea label={say("Values")} hint={hint} rows={6} {...draft.text("values")} />;
};

const Preview = ({ draft: { values } }: Drafting) => {
  const now = useNow();
  const intervals = previewOf(values, now, OWN_ZONE);
  const wanted = wantedCount(values);
  const isOff = wanted !== null && intervals.length > 0 && intervals.length !== wanted;
  return (
    <Card
      flush
      title={say("Preview", {}, "noun")}
      actions={
        intervals.length > 0 && say("{n, plural, one {# interval} other {# intervals}}", { n: intervals.length })
      }
    >
      {isOff && (
        <p role="status" className="px-4 text-sm text-warn">
          {say(
            "The day has {wanted, plural, one {# interval} other {# intervals}}, and there {n, plural, one {is # value} other {are # values}}.",
            { wanted, n: intervals.length },
          )}
        </p>
      )}
      {intervals.length === 0 ? (
        <Empty>
          {isAlert(values.payload_type) ? say("An alert has a message.") : say("Enter values to see the intervals.")}
        </Empty>
      ) : (
        <ValueChart intervals={intervals} unit={unitName({ units: values.units, currency: currencyOf(values) })} />
      )}
    </Card>
  );
};

const currencyOf = ({ payload_type, currency }: OwnEventDraft): string | null =>
  isPrice(payload_type) && currency !== "" ? currency.toUpperCase() : null;
