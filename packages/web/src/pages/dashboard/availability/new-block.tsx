import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callConsole } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { fromLocalInput, toLocalInput } from "../../../format/local-time.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Form } from "../../../ui/form.js";
import { LocalTimeField } from "../../../ui/local-time-field.js";

const HOUR_MS = 3_600_000;
const NO_SUCH_TIME = say(
  "This time does not exist in the site's time zone, because the clocks go forward. Choose another.",
);

/** Blocks a site from dispatches for a period in the site's time zone. */
export const NewBlock = ({
  site: { id, timezone },
  onClose,
}: {
  readonly site: participantConsole.SiteOverview;
  readonly onClose: () => void;
}) => {
  const inHours = (hours: number) => {
    const nextHour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
    return toLocalInput(new Date(nextHour + hours * HOUR_MS), timezone);
  };
  const [from, setFrom] = useState(() => inHours(0));
  const [to, setTo] = useState(() => inHours(4));
  const [start, end] = [fromLocalInput(from, timezone), fromLocalInput(to, timezone)];
  const add = useFormChange(
    (period: { start_time: string; end_time: string }) =>
      callConsole("POST", "/schedule/sites/{site_id}", {
        params: { site_id: id },
        body: { available: false, ...period },
      }),
    { done: say("Block added. The site will not be dispatched in that period."), after: onClose },
  );
  const send = () => {
    if (start !== null && end !== null) add.run({ start_time: start.toISOString(), end_time: end.toISOString() });
  };
  return (
    <Form onSend={send} error={add.error}>
      <LocalTimeField
        label={say("From")}
        name="start_time"
        value={from}
        onChange={setFrom}
        timeZone={timezone}
        fault={start === null ? NO_SUCH_TIME : null}
      />
      <LocalTimeField
        label={say("To")}
        name="end_time"
        value={to}
        onChange={setTo}
        timeZone={timezone}
        fault={end === null ? NO_SUCH_TIME : null}
      />
      <Actions>
        <Button
          type="submit"
          look="primary"
          busy={add.isPending && say("One moment…")}
          disabled={start === null || end === null}
        >
          {say("Add block")}
        </Button>
        <Button onClick={onClose}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};
