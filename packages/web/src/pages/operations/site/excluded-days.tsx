import type { operator } from "@curtail/contract";
import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import { dayAndClock } from "../../../format/time.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { ListTable } from "../../../ui/table.js";
import type { Site } from "./site-columns.js";

/** Days of the site that no baseline is computed from. */
export const ExcludedDays = ({ site: { id, timezone }, writes }: { readonly site: Site; readonly writes: boolean }) => (
  <Card flush title={say("Days excluded from baselines")} actions={writes && <Exclude siteId={id} />}>
    <ListTable
      label={say("Days excluded from baselines")}
      list={useOperatorList("/sites/{id}/excluded-days", { params: { id } })}
      keyOf={({ date }) => date}
      empty={say("No days are excluded. Exclude a day whose load was not normal, such as one with a repair.")}
      columns={[
        { head: say("Day"), cell: ({ date }) => date },
        { head: say("Reason"), cell: ({ reason }) => reason },
        {
          head: say("Excluded ({zone})", { zone: timezone }, "time"),
          cell: ({ at }) => dayAndClock(at, timezone),
          wide: true,
        },
        ...(writes
          ? [{ head: say("Action"), cell: ({ date }: operator.ExcludedDay) => <Include siteId={id} date={date} /> }]
          : []),
      ]}
    />
  </Card>
);

const Exclude = ({ siteId }: { readonly siteId: string }) => (
  <DialogButton label={say("Exclude a day")} title={say("Exclude a day from baselines")}>
    {(close) => <Exclusion siteId={siteId} onDone={close} />}
  </DialogButton>
);

const Exclusion = ({ siteId, onDone }: { readonly siteId: string; readonly onDone: () => void }) => {
  const [date, setDate] = useState("");
  const [reason, setReason] = useState("");
  const exclude = useFormChange(
    (body: { reason: string }) =>
      callOperator("PUT", "/sites/{id}/excluded-days/{date}", { params: { id: siteId, date }, body }),
    { done: say("The day is excluded. Results follow within a minute."), after: onDone },
  );
  return (
    <Form onSend={() => exclude.run({ reason: reason.trim() })} error={exclude.error}>
      <p>{say("Results that looked back on the day are computed again, unless they are approved.")}</p>
      <Field
        label={say("Day")}
        name="date"
        type="date"
        value={date}
        hint={say("A local day of the program.")}
        onChange={(event) => setDate(event.target.value)}
      />
      <Field
        label={say("Reason")}
        name="reason"
        value={reason}
        maxLength={NAME_CHARACTERS}
        hint={say("Participants see it.")}
        onChange={(event) => setReason(event.target.value)}
      />
      <Actions>
        <Button
          type="submit"
          look="primary"
          disabled={date === "" || reason.trim() === ""}
          busy={exclude.isPending && say("One moment…")}
        >
          {say("Exclude")}
        </Button>
      </Actions>
    </Form>
  );
};

const Include = ({ siteId, date }: { readonly siteId: string; readonly date: string }) => {
  const include = useChange(
    () => callOperator("DELETE", "/sites/{id}/excluded-days/{date}", { params: { id: siteId, date } }),
    { done: say("{date} counts again.", { date }) },
  );
  return (
    <ConfirmButton
      label={say("Remove")}
      title={say("Let {date} count again?", { date })}
      run={() => include.run(undefined)}
      busy={include.isPending}
    >
      {say("Results that may look back on the day are computed again, unless they are approved.")}
    </ConfirmButton>
  );
};
