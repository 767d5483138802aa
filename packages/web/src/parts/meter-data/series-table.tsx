import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { count, energy } from "../../format/quantity.js";
import { exact } from "../../format/time.js";
import { chosenMeter, type MeterDataDraft } from "../../rules/meter-data-draft.js";
import { Table } from "../../ui/table.js";
import type { MeterDataScope } from "./scope.js";

type Result = operator.MeterDataResult;
type Series = operator.MeterDataSeries;

interface Choosing {
  readonly result: Result;
  readonly scope: Pick<MeterDataScope, "meters" | "timezone">;
  readonly draft: MeterDataDraft;
  readonly onChange: (draft: MeterDataDraft) => void;
}

/** The series of a file, with the choice of their meters. */
export const SeriesTable = ({ result, scope, draft, onChange }: Choosing) => (
  <Table<Series>
    label={say("Series of the file")}
    rows={result.series}
    keyOf={({ name }) => name}
    empty={say("The file has no series that can be imported.")}
    columns={[
      {
        head: say("Series"),
        cell: ({ name, description, start_time, end_time }) => (
          <>
            {name}
            {description !== null && <div className="text-xs text-muted">{description}</div>}
            {start_time !== null && end_time !== null && (
              <div className="text-xs text-muted">
                {say("{start} to {end}", {
                  start: exact(start_time, scope.timezone),
                  end: exact(end_time, scope.timezone),
                })}
              </div>
            )}
          </>
        ),
      },
      { head: say("Meter"), cell: (series) => <MeterChoice {...{ series, scope, draft, onChange }} /> },
      { head: say("Intervals"), cell: (series) => <Intervals of={series} />, number: true },
      { head: say("Energy"), cell: ({ energy_kwh }) => energy(energy_kwh), number: true },
    ]}
  />
);

const Intervals = ({ of: { intervals, missing_intervals, estimated_intervals } }: { readonly of: Series }) => (
  <>
    {count(intervals)}
    {missing_intervals > 0 && (
      <div className="text-xs text-warn">{say("{n} missing", { n: count(missing_intervals) })}</div>
    )}
    {estimated_intervals > 0 && (
      <div className="text-xs text-muted">{say("{n} estimated", { n: count(estimated_intervals) })}</div>
    )}
  </>
);

const MeterChoice = ({ series, scope, draft, onChange }: { readonly series: Series } & Omit<Choosing, "result">) => (
  <select
    aria-label={say("Meter of {series}", { series: series.name })}
    className="min-h-9 w-full min-w-28 rounded-lg bg-surface px-2 ring-1 ring-inset ring-line-strong"
    value={chosenMeter(draft, series)}
    onChange={({ target }) => onChange({ ...draft, choices: { ...draft.choices, [series.name]: target.value } })}
  >
    {series.meter_id === null && <option value="">{say("choose a meter")}</option>}
    {scope.meters.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
    <option value="none">{say("leave out")}</option>
  </select>
);
