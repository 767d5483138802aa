import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { dayColumns, kindWords } from "../../rules/column-role.js";
import { sayValue } from "../../rules/column-statement.js";
import { signWords } from "../../rules/mapping-words.js";
import { isOpen } from "../../rules/table-reading.js";
import type { Choice } from "../../ui/field.js";
import { Table } from "../../ui/table.js";
import { choicesOf, OPEN, type Setting } from "./setting.js";

type Mapping = operator.MeterDataMapping;

/** Unit, kind and sign of each column of values. */
export const ValueSettings = ({ reading, stated, onState }: Setting) => {
  const { mapping } = reading;
  const day = dayColumns(mapping);
  const state = (column: number, change: Partial<Mapping["values"][number]>) =>
    onState(sayValue(reading, stated, day === null ? column : null, change));
  return (
    <Table
      label={say("Columns of values")}
      rows={mapping.values}
      keyOf={({ column }) => column}
      empty={say("No column has values yet.")}
      isCompact
      columns={[
        {
          head: say("Values"),
          cell: ({ column, name }) => (
            <>
              {name ?? say("by the meter of the line")}
              <div className="text-xs text-muted">
                {day === null
                  ? say("column {n}", { n: column })
                  : say("columns {first} to {last}", { first: day.first, last: day.first + day.count - 1 })}
              </div>
            </>
          ),
        },
        {
          head: say("Unit"),
          cell: ({ column, unit }) =>
            mapping.unit_column === null ? (
              <Small
                label={say("Unit of column {n}", { n: column })}
                value={isOpen(reading, "values[].unit", column) ? OPEN.value : unit}
                choices={["Wh", "kWh", "MWh", "W", "kW", "MW"].map((each) => ({ value: each, label: each }))}
                onChange={(next) => state(column, { unit: next as typeof unit })}
              />
            ) : (
              say("in column {n}", { n: mapping.unit_column })
            ),
        },
        {
          head: say("Kind"),
          cell: ({ column, unit, kind }) => (
            <Small
              label={say("Kind of column {n}", { n: column })}
              value={isOpen(reading, "values[].kind", column) ? OPEN.value : kind}
              choices={kindsOf(unit)}
              onChange={(next) => state(column, { kind: next as typeof kind })}
            />
          ),
        },
        {
          head: say("Sign"),
          cell: ({ column, sign }) => (
            <Small
              label={say("Sign of column {n}", { n: column })}
              value={isOpen(reading, "values[].sign", column) ? OPEN.value : sign}
              choices={choicesOf(signWords)}
              onChange={(next) => state(column, { sign: next as typeof sign })}
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
