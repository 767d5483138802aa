import { type ComponentProps, useId } from "react";
import { Field } from "../ui/field.js";

const zones = Intl.supportedValuesOf("timeZone");

/** A time zone by its IANA name, with suggestions of the browser. */
export const TimezoneField = (props: ComponentProps<typeof Field>) => {
  const id = useId();
  return (
    <>
      <Field {...props} list={id} hint="For example America/Chicago." autoComplete="off" />
      <datalist id={id}>
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </>
  );
};
