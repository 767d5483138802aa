import { say } from "@curtail/words/page";
import { useId } from "react";
import { useOperator } from "../../../api/use-call.js";
import type { ProgramDraft } from "../../../rules/program-draft.js";
import { Field, TextArea } from "../../../ui/field.js";
import { Answered } from "../../../ui/state.js";
import type { Draft } from "../../../ui/use-draft.js";
import { HolidayDays } from "./holiday-days.js";

/** A calendar with what corrects it, or a list made by hand. */
export const HolidayFields = ({ draft }: { readonly draft: Draft<ProgramDraft> }) => (
  <>
    <CalendarField draft={draft} />
    {draft.values.holiday_calendar === "" ? (
      <TextArea
        label={say("Holidays (optional)")}
        hint={say("Dates in the program's time zone, one per line, such as 2026-07-03.")}
        rows={3}
        {...draft.text("holidays")}
      />
    ) : (
      <div className="grid gap-3 sm:grid-cols-2">
        <TextArea
          label={say("Added days (optional)")}
          hint={say("Also count as holidays. One date per line.")}
          rows={3}
          {...draft.text("added_holidays")}
        />
        <TextArea
          label={say("Removed days (optional)")}
          hint={say("Of the calendar, but do not count. One date per line.")}
          rows={3}
          {...draft.text("removed_holidays")}
        />
      </div>
    )}
  </>
);

const CalendarField = ({ draft }: { readonly draft: Draft<ProgramDraft> }) => {
  const id = useId();
  const calendars = useOperator("/holiday-calendars", {}).data?.items ?? [];
  const { holiday_calendar: typed, holidays, added_holidays } = draft.values;
  const chosen = calendars.find(({ code }) => code.toLowerCase() === typed.trim().toLowerCase());
  const choose = (code: string) =>
    // The list made by hand stays, as days added to the calendar.
    draft.set({ holiday_calendar: code, ...(typed === "" && added_holidays === "" && { added_holidays: holidays }) });
  return (
    <>
      <Field
        label={say("Holiday calendar (optional)")}
        hint={say("Search a country, state or region, or NERC. Empty: dates typed by hand.")}
        list={id}
        autoComplete="off"
        {...draft.text("holiday_calendar")}
        onChange={({ target }) => choose(target.value)}
      />
      <datalist id={id}>
        {calendars.map(({ code, name }) => (
          <option key={code} value={code}>
            {`${name} (${code})`}
          </option>
        ))}
      </datalist>
      {chosen !== undefined && <Preview key={chosen.code} code={chosen.code} />}
    </>
  );
};

/** The days of this year and the next. */
const Preview = ({ code }: { readonly code: string }) => (
  <Answered of={useOperator("/holiday-calendars/{code}", { params: { code } })}>
    {({ name, days, version }) => (
      <div className="grid gap-2 rounded-lg p-3 ring-1 ring-line">
        <p className="font-medium">{name}</p>
        <HolidayDays days={days} />
        <p className="text-sm text-muted">{say("From date-holidays {version}.", { version })}</p>
      </div>
    )}
  </Answered>
);
