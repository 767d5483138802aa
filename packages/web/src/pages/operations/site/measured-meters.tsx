import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { measuredMeters } from "../../../rules/measured-meters.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Checkbox, Choices } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import type { Site } from "./site-columns.js";

/** Chooses the meters whose sum is the load of a site. */
export const MeasuredMeters = ({ site }: { readonly site: Site }) => (
  <DialogButton label={say("Choose measured meters")} title={say("Choose the measured meters")}>
    {(close) => <Choice site={site} onDone={close} />}
  </DialogButton>
);

const Choice = ({ site, onDone }: { readonly site: Site; readonly onDone: () => void }) => {
  const [chosen, choose] = useState(new Set(measuredMeters(site)));
  const [isByType, setByType] = useState(site.measured_meters === null);
  const change = useFormChange(
    (measured_meters: string[] | null) =>
      callOperator("PATCH", "/sites/{id}", { params: { id: site.id }, body: { measured_meters } }),
    { done: say("Saved. It applies to dispatches from now on."), after: onDone },
  );
  const toggle = (id: string) => choose((before) => new Set(before.has(id) ? without(before, id) : [...before, id]));
  return (
    <Form onSend={() => change.run(isByType ? null : [...chosen])} error={change.error}>
      <p>{say("The load of the site in a dispatch is the sum of its measured meters.")}</p>
      <Checkbox
        label={say("The points of interconnection, or all meters if there is none")}
        checked={isByType}
        onChange={() => setByType(!isByType)}
      />
      {!isByType && (
        <Choices label={say("Measured meters")} name="measured_meters">
          {site.meters.map(({ id, name }) => (
            <Checkbox key={id} label={name} checked={chosen.has(id)} onChange={() => toggle(id)} />
          ))}
        </Choices>
      )}
      <Actions>
        <Button
          type="submit"
          look="primary"
          disabled={!isByType && chosen.size === 0}
          busy={change.isPending && say("Saving…")}
        >
          {say("Save")}
        </Button>
      </Actions>
    </Form>
  );
};

const without = (ids: ReadonlySet<string>, id: string): string[] => [...ids].filter((each) => each !== id);
