import { say } from "@curtail/words/page";
import { type ComponentProps, useId } from "react";
import { OWN_ZONE } from "../format/time.js";
import { Button } from "../ui/button.js";
import { Field } from "../ui/field.js";

const zones = Intl.supportedValuesOf("timeZone");

/** A time zone by its IANA name, with suggestions of the browser. */
export const TimezoneField = (props: ComponentProps<typeof Field>) => {
  const id = useId();
  return (
    <>
      <Field hint={say("For example America/Chicago.")} {...props} list={id} autoComplete="off" />
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

/** Where a site or program gets its zone: it is asked for. The browser's is offered, and taken by a press. */
export const AskedTimezone = ({
  onOffer,
  ...props
}: ComponentProps<typeof Field> & { readonly onOffer: (zone: string) => void }) => (
  <div className="grid gap-1">
    <TimezoneField {...props} hint={say("Days, baselines and reports follow it. For example America/Chicago.")} />
    {props.value === "" && (
      <div>
        <Button onClick={() => onOffer(OWN_ZONE)}>{say("{zone}, as in this browser", { zone: OWN_ZONE })}</Button>
      </div>
    )}
  </div>
);
