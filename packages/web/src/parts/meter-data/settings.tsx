import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type ReactNode, useState } from "react";
import { formatWords } from "../../rules/column-role.js";
import { decimalWords, labelWords, layoutWords } from "../../rules/mapping-words.js";
import { isOpen, type Stated } from "../../rules/table-reading.js";
import { Checkbox, type Choice, Select } from "../../ui/field.js";
import { TimezoneField } from "../timezone-field.js";
import { choicesOf, OPEN, type Setting } from "./setting.js";
import { ValueSettings } from "./value-settings.js";

type Mapping = operator.MeterDataMapping;

/** How a table is read, apart from its columns. */
export const ReadingSettings = (setting: Setting) => (
  <div className="grid gap-3">
    <div className="grid items-start gap-3 sm:grid-cols-2 xl:grid-cols-4">
      <Zone {...setting} />
      <TimeChoice {...setting} label={say("Dates")} member="format" choices={choicesOf(formatWords)} />
      {hasOneTime(setting.reading.mapping) && (
        <TimeChoice {...setting} label={say("Times mark")} member="label" choices={choicesOf(labelWords)} />
      )}
      <Decimal {...setting} />
      <Length {...setting} />
      {setting.reading.mapping.layout === "matrix" && <Layout {...setting} />}
    </div>
    <ValueSettings {...setting} />
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
    <Said label={say("Time zone")}>{say("Times have their offset from UTC.")}</Said>
  ) : (
    <ZoneField key={zone ?? ""} zone={zone ?? ""} onState={state} />
  );
};

const ZoneField = ({ zone, onState }: { readonly zone: string; readonly onState: (zone: string) => void }) => {
  const [typed, setTyped] = useState(zone);
  return (
    <TimezoneField
      label={say("Time zone")}
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
  const choices = choicesOf(decimalWords);
  return (
    <Select
      label={say("Decimals")}
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
      label={say("Length of intervals")}
      value={String(seconds ?? "")}
      choices={[
        { value: "", label: say("distance of times") },
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
    label={say("A line is")}
    value="matrix"
    choices={choicesOf(layoutWords)}
    onChange={({ target: { value } }) => onState({ ...stated, layout: value as Mapping["layout"] })}
  />
);

const LeaveOut = ({ reading: { mapping }, stated, onState }: Setting) => {
  const { doubled_hour, resets } = mapping.leave_out;
  const state = (change: Partial<Mapping["leave_out"]>) =>
    onState({ ...stated, leave_out: { ...stated.leave_out, ...change } });
  return (
    <div>
      <Checkbox
        label={say("Leave out the hour that clocks show twice, if the file does not tell which is meant")}
        checked={doubled_hour}
        onChange={({ target }) => state({ doubled_hour: target.checked })}
      />
      {mapping.values.some(({ kind }) => kind === "cumulative") && (
        <Checkbox
          label={say("Leave out intervals in which a register falls")}
          checked={resets}
          onChange={({ target }) => state({ resets: target.checked })}
        />
      )}
    </div>
  );
};
