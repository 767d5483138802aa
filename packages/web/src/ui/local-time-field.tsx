import { isTwice } from "../format/local-time.js";
import { Field } from "./field.js";

/** Whose clocks a field shows, and which of two moments is meant in the hour that comes twice. */
export const localHint = (local: string, timeZone: string): string =>
  `In ${timeZone}${isTwice(local, timeZone) ? "; this time occurs twice, the first one applies" : ""}`;

/** A moment on the clocks of a time zone; `fault` says what is wrong with it. */
export const LocalTimeField = ({
  label,
  name,
  value,
  onChange,
  timeZone,
  fault,
}: {
  readonly label: string;
  readonly name: string;
  /** As `toLocalInput` writes it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly timeZone: string;
  readonly fault: string | null;
}) => (
  <Field
    label={label}
    name={name}
    type="datetime-local"
    value={value}
    onChange={(event) => onChange(event.target.value)}
    hint={localHint(value, timeZone)}
    fault={fault}
  />
);
