import { say } from "@curtail/words/page";
import { isTwice } from "../format/local-time.js";
import { Field } from "./field.js";

/** The time zone of a field, and which moment applies if the time occurs twice. */
export const localHint = (local: string, timeZone: string): string =>
  isTwice(local, timeZone)
    ? say("In {zone}; this time occurs twice, the first one applies", { zone: timeZone })
    : say("In {zone}", { zone: timeZone });

/** A date and time in a time zone. */
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
