import type { operator } from "@curtail/contract";
import { type ReactNode, useState } from "react";
import { dayColumns, formatWords, kindWords } from "../../rules/column-role.js";
import { isOpen, type Reading, type Stated, sayValue } from "../../rules/column-statement.js";
import { Checkbox, type Choice, Select } from "../../ui/field.js";
import { Table } from "../../ui/table.js";
import { TimezoneField } from "../timezone-field.js";

type Mapping = operator.MeterDataMapping;

interface Setting {
  readonly reading: Reading;
  readonly stated: Stated;
  readonly onState: (stated: Stated) => void;
}

/** An open question's answer is not chosen yet. */
const OPEN = { value: "", label: "not known" };
const choicesOf = <V extends string>(words: Readonly<Record<V, string>>): readonly Choice[] =>
  Object.entries<string>(words).map(([value, label]) => ({ value, label }));

/** How a table is read, apart from its columns. */
export const ReadingSettings = (setting: Setting) => (
  <div className="grid gap-3">
    <div className="grid items-start gap-3 sm:grid-cols-2 xl:grid-cols-4">
      <Zone {...setting} />
      <TimeChoice {...setting} label="Dates" member="format" choices={choicesOf(formatWords)} />
      {hasOneTime(setting.reading.mapping) && (
        <TimeChoice
          {...setting}
          label="Times mark"
          member="label"
          choices={choicesOf({ start: "the start of intervals", end: "the end of intervals" })}
        />
      )}
      <Decimal {...setting} />
      <Length {...setting} />
      {setting.reading.mapping.layout === "matrix" && <Layout {...setting} />}
    </div>
    <Values {...setting} />
    <LeaveOut {...setting} />
  </div>
);

const hasOneTime = ({ time, matrix }: Mapping): boolean =>
  time.end_columns.length === 0 && !time.range && matrix === null;

const TimeChoice = ({
  reading,
  stated,
  onState,
  label,
  member,
  choices,
}: Setting & { readonly label: string; readonly member: "format" | "label"; readonly choices: readonly Choice[] }) => {
  const open = isOpen(reading, `time.${member}`);
  return (
    <Select
      label={label}
      value={open ? OPEN.value : reading.mapping.time[member]}
      choices={open ? [OPEN, ...choices] : choices}
      onChange={({ target }) => onState({ ...stated, time: { ...stated.time, [member]: target.value } })}
    />
  );
};

const Zone = ({ reading: { mapping, doubts }, stated, onState }: Setting) => {
  const { zone } = mapping.time;
  const needsNone = zone === null && !isOpen({ doubts }, "time.zone");
  const state = (next: string): void => {
    if (next.trim() !== (zone ?? "")) onState({ ...stated, time: { ...stated.time, zone: next.trim() || null } });
  };
  return needsNone ? (
    <Said label="Time zone">Times have their offset from UTC.</Said>
  ) : (
    <ZoneField key={zone ?? ""} zone={zone ?? ""} onState={state} />
  );
};

const ZoneField = ({ zone, onState }: { readonly zone: string; readonly onState: (zone: string) => void }) => {
  const [typed, setTyped] = useState(zone);
  return (
    <TimezoneField
      label="Time zone"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => onState(typed)}
      onKeyDown={({ key }) => key === "Enter" && onState(typed)}
    />
  );
};

const Said = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="grid gap-1">
    <div className="text-sm font-medium">{label}</div>
    <div className="py-1.5 text-muted">{children}</div>
  </div>
);

const Decimal = ({ reading, stated, onState }: Setting) => {
  const open = isOpen(reading, "decimal");
  const choices = choicesOf({ ".": "point: 1.5", ",": "comma: 1,5" });
  return (
    <Select
      label="Decimals"
      value={open ? OPEN.value : reading.mapping.decimal}
      choices={open ? [OPEN, ...choices] : choices}
      onChange={({ target: { value } }) => onState({ ...stated, decimal: value as Mapping["decimal"] })}
    />
  );
};

const lengths = [60, 300, 600, 900, 1800, 3600];

const Length = ({ reading: { mapping }, stated, onState }: Setting) => {
  const { interval_seconds: seconds, matrix, seconds_column: column } = mapping;
  if (matrix !== null || column !== null) return null;
  const shown = [...new Set([...lengths, ...(seconds === null ? [] : [seconds])])].toSorted((a, b) => a - b);
  return (
    <Select
      label="Length of intervals"
      value={String(seconds ?? "")}
      choices={[
        { value: "", label: "distance of times" },
        ...shown.map((each) => ({ value: String(each), label: each % 60 === 0 ? `${each / 60} min` : `${each} s` })),
      ]}
      onChange={({ target: { value } }) => onState(withLength(stated, value))}
    />
  );
};

const withLength = ({ interval_seconds: _before, ...stated }: Stated, value: string): Stated =>
  value === "" ? stated : { ...stated, interval_seconds: Number(value) };

const Layout = ({ stated, onState }: Setting) => (
  <Select
    label="A line is"
    value="matrix"
    choices={choicesOf({ matrix: "a day", rows: "an interval" })}
    onChange={({ target: { value } }) => onState({ ...stated, layout: value as Mapping["layout"] })}
  />
);

const Values = ({ reading, stated, onState }: Setting) => {
  const { mapping } = reading;
  const day = dayColumns(mapping);
  const say = (column: number, change: Partial<Mapping["values"][number]>) =>
    onState(sayValue(reading, stated, day === null ? column : null, change));
  return (
    <Table
      label="Columns of values"
      rows={mapping.values}
      keyOf={({ column }) => column}
      empty="No column has values yet."
      isCompact
      columns={[
        {
          head: "Values",
          cell: ({ column, name }) => (
            <>
              {name ?? "by the meter of the line"}
              <div className="text-xs text-muted">
                {day === null ? `column ${column}` : `columns ${day.first} to ${day.first + day.count - 1}`}
              </div>
            </>
          ),
        },
        {
          head: "Unit",
          cell: ({ column, unit }) =>
            mapping.unit_column === null ? (
              <Small
                label={`Unit of column ${column}`}
                value={isOpen(reading, "values[].unit", column) ? OPEN.value : unit}
                choices={["Wh", "kWh", "MWh", "W", "kW", "MW"].map((each) => ({ value: each, label: each }))}
                onChange={(next) => say(column, { unit: next as typeof unit })}
              />
            ) : (
              `in column ${mapping.unit_column}`
            ),
        },
        {
          head: "Kind",
          cell: ({ column, unit, kind }) => (
            <Small
              label={`Kind of column ${column}`}
              value={isOpen(reading, "values[].kind", column) ? OPEN.value : kind}
              choices={kindsOf(unit)}
              onChange={(next) => say(column, { kind: next as typeof kind })}
            />
          ),
        },
        {
          head: "Sign",
          cell: ({ column, sign }) => (
            <Small
              label={`Sign of column ${column}`}
              value={sign}
              choices={choicesOf({ load: "load", export: "export", by_name: "by the series’ name" })}
              onChange={(next) => say(column, { sign: next as typeof sign })}
            />
          ),
        },
      ]}
    />
  );
};

/** Power is no energy, and a register counts energy. */
const kindsOf = (unit: string): readonly Choice[] =>
  choicesOf(kindWords).filter(({ value }) => unit.endsWith("h") === (value !== "power"));

const Small = ({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
}) => (
  <select
    aria-label={label}
    className="min-h-9 w-full min-w-20 rounded-lg bg-surface px-2 ring-1 ring-inset ring-line-strong"
    value={value}
    onChange={({ target }) => onChange(target.value)}
  >
    {(value === OPEN.value ? [OPEN, ...choices] : choices).map((each) => (
      <option key={each.value} value={each.value}>
        {each.label}
      </option>
    ))}
  </select>
);

const LeaveOut = ({ reading: { mapping }, stated, onState }: Setting) => {
  const { doubled_hour, resets } = mapping.leave_out;
  const state = (change: Partial<Mapping["leave_out"]>) =>
    onState({ ...stated, leave_out: { ...stated.leave_out, ...change } });
  return (
    <div>
      <Checkbox
        label="Leave out the hour that clocks show twice, if the file does not tell which is meant"
        checked={doubled_hour}
        onChange={({ target }) => state({ doubled_hour: target.checked })}
      />
      {mapping.values.some(({ kind }) => kind === "cumulative") && (
        <Checkbox
          label="Leave out intervals in which a register falls"
          checked={resets}
          onChange={({ target }) => state({ resets: target.checked })}
        />
      )}
    </div>
  );
};
