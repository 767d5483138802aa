import { say } from "@curtail/words/page";
import { toLocalInput } from "../../../format/local-time.js";
import { dayAndClock, period } from "../../../format/time.js";
import { type Filling, hasBegun, OPEN, type Times } from "../../../rules/dispatch-draft.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Field, Select } from "../../../ui/field.js";
import { localHint } from "../../../ui/local-time-field.js";

const lengths = [
  { value: "30", label: say("After 30 minutes") },
  { value: "60", label: say("After 1 hour") },
  { value: "120", label: say("After 2 hours") },
  { value: "240", label: say("After 4 hours") },
  { value: "at", label: say("At a set time") },
  { value: OPEN, label: say("Open-ended: set the end later") },
];

const starts = [
  { value: "now", label: say("Now", {}, "time") },
  { value: "at", label: say("At a set time") },
];

/** Start and end in the time zone of the program. */
export const TimeChoice = ({
  draft,
  onChange,
  times,
  timeZone,
  isTried,
}: Filling & { readonly times: Times; readonly timeZone: string; readonly isTried: boolean }) => {
  // An empty field is not a fault before the first attempt to continue.
  const shown = (fault: string | null, local: string) => (local === "" && !isTried ? null : fault);
  const inMinutes = (minutes: number) => toLocalInput(new Date(Date.now() + minutes * 60_000), timeZone);
  return (
    <Card
      title={say("When")}
      actions={
        <Button onClick={() => onChange({ ...draft, start: "at", startLocal: inMinutes(10) })}>
          {say("Start in 10 min")}
        </Button>
      }
    >
      <div className="grid gap-3 md:grid-cols-2">
        <div className="grid content-start gap-3">
          <Select
            label={say("Start", {}, "time")}
            value={draft.start}
            choices={starts}
            onChange={(event) => onChange({ ...draft, start: event.target.value === "now" ? "now" : "at" })}
          />
          {draft.start === "at" && (
            <Field
              label={say("Start time")}
              type="datetime-local"
              value={draft.startLocal}
              hint={localHint(draft.startLocal, timeZone)}
              fault={shown(times.startFault, draft.startLocal)}
              onChange={(event) => onChange({ ...draft, startLocal: event.target.value })}
            />
          )}
        </div>
        <div className="grid content-start gap-3">
          <Select
            label={say("End", {}, "time")}
            value={lengths.some(({ value }) => value === draft.end) ? draft.end : "at"}
            choices={lengths}
            onChange={(event) => onChange({ ...draft, end: event.target.value })}
          />
          {draft.end === "at" && (
            <Field
              label={say("End time")}
              type="datetime-local"
              value={draft.endLocal}
              hint={localHint(draft.endLocal, timeZone)}
              fault={shown(times.endFault, draft.endLocal)}
              onChange={(event) => onChange({ ...draft, endLocal: event.target.value })}
            />
          )}
        </div>
      </div>
      <p className="mt-1 text-sm text-muted">{wordsOf(times, timeZone)}</p>
    </Card>
  );
};

const wordsOf = ({ start, end, startFault, endFault }: Times, timeZone: string): string => {
  if (start === null || startFault !== null || endFault !== null)
    return say("Times are in {zone}.", { zone: timeZone });
  const when =
    end === null
      ? say("From {start} until you end it ({zone}).", { start: dayAndClock(start, timeZone), zone: timeZone })
      : `${period(start, end, timeZone)} (${timeZone}).`;
  return hasBegun(start, new Date())
    ? `${when} ${say("This period has already begun: participants are notified as soon as you confirm.")}`
    : when;
};
