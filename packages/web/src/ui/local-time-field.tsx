import { Field } from "./field.js";

/** A moment on the clocks of a time zone; `fault` says what is wrong with it. */
export const LocalTimeField = ({
  label,
  value,
  onChange,
  timeZone,
  fault,
}: {
  readonly label: string;
  /** As `toLocalInput` writes it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly timeZone: string;
  readonly fault: string | null;
}) => (
  <Field
    label={label}
    type="datetime-local"
    value={value}
    onChange={(event) => onChange(event.target.value)}
    hint={timeZone}
    fault={fault}
  />
);
