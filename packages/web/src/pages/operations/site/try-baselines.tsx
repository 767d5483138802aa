import { say } from "@curtail/words/page";
import { useState } from "react";
import { useOperator } from "../../../api/use-call.js";
import { TRIED_PRESETS, triedMethods } from "../../../rules/baseline-accuracy.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { Answered } from "../../../ui/state.js";
import { Table } from "../../../ui/table.js";

type DayType = "weekday" | "saturday" | "sunday";

const dayTypes = [
  { value: "weekday", label: say("Weekdays") },
  { value: "saturday", label: say("Saturdays") },
  { value: "sunday", label: say("Sundays") },
];

/** The dispatch to assume on each day. */
interface Trial {
  readonly start: string;
  readonly minutes: number;
  readonly day_type: DayType;
}

interface Tried {
  readonly siteId: string;
  readonly programId: string;
}

const MOST_MINUTES = 1440;

/** Tries baseline methods on days of the site without a dispatch (M17). */
export const TryBaselines = (tried: Tried) => (
  <DialogButton label={say("Try baselines")} title={say("Which baseline fits this site?")} look="quiet">
    {() => <Trials {...tried} />}
  </DialogButton>
);

const isComplete = ({ start, minutes }: Trial): boolean => start !== "" && minutes >= 1 && minutes <= MOST_MINUTES;

const Trials = (tried: Tried) => {
  const [trial, setTrial] = useState<Trial>({ start: "17:00", minutes: 120, day_type: "weekday" });
  const [asked, setAsked] = useState<Trial | null>(null);
  const change = (part: Partial<Trial>) => setTrial({ ...trial, ...part });
  return (
    <Form onSend={() => setAsked(trial)}>
      <p>
        {say(
          "Each method computes a baseline for the last ten such days without a dispatch. The closer it is to the load, the better it fits.",
        )}
      </p>
      <Field
        label={say("Start of the dispatch")}
        name="start"
        type="time"
        value={trial.start}
        hint={say("In the time zone of the program.")}
        onChange={(event) => change({ start: event.target.value })}
      />
      <Field
        label={say("Minutes")}
        name="minutes"
        type="number"
        min={1}
        max={MOST_MINUTES}
        value={trial.minutes}
        onChange={(event) => change({ minutes: Number(event.target.value) })}
      />
      <Select
        label={say("Days")}
        name="day_type"
        choices={dayTypes}
        value={trial.day_type}
        onChange={(event) => change({ day_type: event.target.value as DayType })}
      />
      <Actions>
        <Button type="submit" look="primary" disabled={!isComplete(trial)}>
          {say("Try", {}, "verb")}
        </Button>
      </Actions>
      {asked !== null && <Results {...tried} trial={asked} />}
    </Form>
  );
};

/** Errors are comparable only in the same intervals. */
const COMPARED = { interval_seconds: 3600 } as const;

const Results = ({ siteId, programId, trial }: Tried & { readonly trial: Trial }) => {
  const query = { ...trial, ...COMPARED, program_id: programId };
  const params = { id: siteId };
  const setting = useOperator("/sites/{id}/baseline-accuracy", { params, query });
  const presets = useOperator("/sites/{id}/baseline-accuracy", { params, query: { ...query, preset: TRIED_PRESETS } });
  return (
    <Answered of={presets}>
      {({ methods }) => (
        <Table
          label={say("Accuracy of the methods")}
          rows={triedMethods([...(setting.data?.methods ?? []), ...methods])}
          keyOf={({ key }) => key}
          empty=""
          columns={[
            { head: say("Method"), cell: ({ name }) => name },
            { head: say("Error", {}, "of a baseline"), cell: ({ error }) => error, number: true },
            { head: say("Bias", {}, "of a baseline"), cell: ({ bias }) => bias, number: true },
            { head: say("Tried", {}, "days"), cell: ({ days }) => days, wide: true },
          ]}
        />
      )}
    </Answered>
  );
};
