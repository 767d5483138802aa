import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { count, plain, power } from "../../../format/quantity.js";
import { ReportTable } from "../../../parts/dispatch-report/table.js";
import {
  alarmsTitle,
  deliveredWords,
  notifiedWords,
  type shiftSections,
  stateOfDispatch,
} from "../../../rules/shift-report.js";
import { DayAndClock, Period } from "../../../ui/page-zone.js";
import { actionWords, actorWords } from "../audit/words.js";

type Drawn = Omit<operator.ShiftReportDraft, "previous">;
export type SectionName = (typeof shiftSections)[number][0];

/** What a section was drawn up from. */
export const ShiftSection = ({ name, drawn }: { readonly name: SectionName; readonly drawn: Drawn }) => {
  const { count: all, items } = drawn[name];
  return (
    <>
      {items.length === 0 ? <p className="text-muted">{say("None.")}</p> : tables[name](drawn)}
      {all > items.length && <p className="mt-1 text-muted">{say("and {n} more", { n: count(all - items.length) })}</p>}
    </>
  );
};

const tables: Readonly<Record<SectionName, (drawn: Drawn) => ReactNode>> = {
  dispatches: ({ dispatches }) => (
    <ReportTable
      label={say("Dispatches")}
      rows={dispatches.items}
      keyOf={({ dispatch_id }) => dispatch_id}
      columns={[
        { head: say("Program"), cell: ({ program_name }) => program_name },
        { head: say("Time"), cell: ({ start_time, end_time }) => <Period start={start_time} end={end_time} /> },
        { head: say("State"), cell: stateOfDispatch },
        { head: say("Sites"), number: true, cell: ({ sites }) => count(sites) },
        { head: say("Committed, kW"), number: true, cell: ({ commitment_kw }) => plain(commitment_kw) },
        { head: say("Delivered"), cell: deliveredWords },
        { head: say("Accounts notified"), number: true, cell: notifiedWords },
      ]}
    />
  ),
  alarms: ({ alarms }) => (
    <ReportTable
      label={say("Alarms")}
      rows={alarms.items}
      keyOf={({ title, dispatch_id, since }) => `${title} ${dispatch_id ?? ""} ${since}`}
      columns={[
        { head: say("What"), cell: alarmsTitle },
        { head: say("Since"), cell: ({ since }) => <DayAndClock at={since} /> },
        { head: say("Raised", {}, "alarms"), number: true, cell: ({ raised }) => count(raised) },
        {
          head: say("Acknowledged", {}, "alarms"),
          cell: ({ acknowledged, acknowledged_by }) =>
            [count(acknowledged), ...acknowledged_by.map((by) => actorWords(by, null))].join(", "),
        },
        { head: say("Cleared", {}, "alarms"), number: true, cell: ({ cleared }) => count(cleared) },
        {
          head: say("Left", {}, "alarms"),
          cell: ({ open, shelved, assigned_to }) =>
            [
              count(open),
              ...(shelved === 0 ? [] : [say("{n, plural, one {# shelved} other {# shelved}}", { n: shelved })]),
              ...(assigned_to === null ? [] : [say("with {name}", { name: assigned_to })]),
            ].join(", "),
        },
      ]}
    />
  ),
  calls: ({ calls }) => (
    <ReportTable
      label={say("Phone calls")}
      rows={calls.items}
      keyOf={({ at, account_id, dispatch_id }) => `${at} ${account_id} ${dispatch_id}`}
      columns={[
        { head: say("When"), cell: ({ at }) => <DayAndClock at={at} /> },
        { head: say("Account"), cell: ({ account_name }) => account_name },
        { head: say("Reached", {}, "person"), cell: ({ person }) => person },
        { head: say("About"), cell: ({ program_name }) => program_name },
        { head: say("Note"), cell: ({ note }) => note },
        { head: say("By", {}, "person"), cell: ({ by, by_name }) => actorWords(by, by_name) },
      ]}
    />
  ),
  changes: ({ changes }) => (
    <ReportTable
      label={say("Changes")}
      rows={changes.items}
      keyOf={({ action, by }) => `${action} ${by}`}
      columns={[
        { head: say("When"), cell: ({ last_at }) => <DayAndClock at={last_at} /> },
        { head: say("What"), cell: (change) => <Change change={change} /> },
        {
          head: say("By", {}, "person"),
          cell: ({ by, by_name, by_account_name }) =>
            `${actorWords(by, by_name)}${by_account_name === null ? "" : `, ${by_account_name}`}`,
        },
      ]}
    />
  ),
  next: ({ next }) => (
    <ReportTable
      label={say("Next 24 hours")}
      rows={next.items}
      keyOf={({ dispatch_id }) => dispatch_id}
      columns={[
        {
          head: say("Program"),
          cell: ({ program_name, test }) => (test ? say("{program}, test", { program: program_name }) : program_name),
        },
        { head: say("Time"), cell: ({ start_time, end_time }) => <Period start={start_time} end={end_time} /> },
        { head: say("Sites"), number: true, cell: ({ sites }) => count(sites) },
        { head: say("Committed"), number: true, cell: ({ commitment_kw }) => power(commitment_kw) },
        { head: say("Accounts notified"), number: true, cell: notifiedWords },
      ]}
    />
  ),
};

const Change = ({ change: { action, count: times, subjects } }: { readonly change: operator.ShiftChange }) => (
  <>
    {actionWords(action)}
    {times > 1 && ` (${count(times)})`}
    {subjects.length > 0 && `: ${subjects.join(", ")}${times > subjects.length && subjects.length === 5 ? ", …" : ""}`}
  </>
);
