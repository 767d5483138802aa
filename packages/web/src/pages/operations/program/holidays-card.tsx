import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useOperator } from "../../../api/use-call.js";
import { useChange } from "../../../api/use-change.js";
import type { Program } from "../../../rules/program-draft.js";
import { Card } from "../../../ui/card.js";
import { ConfirmButton } from "../../../ui/dialog-button.js";
import { Answered } from "../../../ui/state.js";
import { HolidayDays } from "./holiday-days.js";

type Holidays = operator.ProgramHolidays;
type Update = NonNullable<Holidays["update"]>;

const notes = {
  calendar: undefined,
  added: say("added by hand", {}, "day"),
  removed: say("removed, does not count", {}, "day"),
} as const;
const changes = { add: say("will be added", {}, "day"), remove: say("will be removed", {}, "day") } as const;

/** The days of a program's calendar, and what of it is to be confirmed. */
export const HolidaysCard = ({ program, writes }: { readonly program: Program; readonly writes: boolean }) => (
  <Card title={say("Holidays")}>
    <Answered of={useOperator("/programs/{id}/holidays", { params: { id: program.id } })}>
      {(holidays) => (
        <div className="grid gap-4">
          {holidays.update !== null && <UpdateNote program={program} update={holidays.update} writes={writes} />}
          <HolidayDays days={holidays.days.map((day) => ({ ...day, note: notes[day.origin] }))} />
          <p className="text-sm text-muted">{sourceOf(holidays)}</p>
        </div>
      )}
    </Answered>
  </Card>
);

const sourceOf = ({ name, version, from_year, to_year }: Holidays): string =>
  say(
    "{name}, {from} to {to}, from date-holidays {version}; its data is from Wikipedia (CC BY-SA 3.0). Dispatches keep the holidays of their creation.",
    { name: name ?? "", from: from_year ?? "", to: to_year ?? "", version: version ?? "" },
  );

const UpdateNote = ({
  program: { id },
  update: { version, to_year, days },
  writes,
}: {
  readonly program: Program;
  readonly update: Update;
  readonly writes: boolean;
}) => {
  const confirm = useChange(
    () => callOperator("POST", "/programs/{id}/holidays/confirm", { params: { id }, body: { version, to_year } }),
    { done: say("Confirmed. New dispatches use these holidays.") },
  );
  return (
    <div className="grid gap-3 rounded-lg bg-warn-soft px-4 py-3">
      <p>
        {say("The calendar has days that are not in use yet, to {year} (date-holidays {version}).", {
          year: to_year,
          version,
        })}
      </p>
      <HolidayDays days={days.map((day) => ({ ...day, note: changes[day.change] }))} />
      {writes && (
        <div>
          <ConfirmButton
            label={say("Confirm these days")}
            title={say("Confirm these days?")}
            action={say("Confirm")}
            run={() => confirm.run(undefined)}
            busy={confirm.isPending}
          >
            {say("New dispatches use them. Days before today and existing dispatches do not change.")}
          </ConfirmButton>
        </div>
      )}
    </div>
  );
};
