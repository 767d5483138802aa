import { say } from "@curtail/words/page";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { callConsole } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { fromLocalInput, toLocalInput } from "../../../format/local-time.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Form } from "../../../ui/form.js";
import { LocalTimeField } from "../../../ui/local-time-field.js";
import { usePageZone } from "../../../ui/page-zone.js";

const NO_SUCH_TIME = say("This time does not exist on that day, because the clocks go forward. Choose another.");

/** Issues a test dispatch for all the account's sites, to test their notification. */
export const TestDispatch = () => {
  const zone = usePageZone();
  return (
    <DialogButton label={say("Create a test dispatch")}>
      {(close) => <TestForm zone={zone} onClose={close} />}
    </DialogButton>
  );
};

const TestForm = ({ zone, onClose }: { readonly zone: string; readonly onClose: () => void }) => {
  const inMinutes = (minutes: number): string => toLocalInput(new Date(Date.now() + minutes * 60_000), zone);
  const [start, setStart] = useState(() => inMinutes(5));
  const [end, setEnd] = useState(() => inMinutes(20));
  const navigate = useNavigate();
  const make = useFormChange(
    (body: { start_time: string; end_time: string }) => callConsole("POST", "/dispatches", { body }),
    {
      done: say("Test dispatch created."),
      after: ({ id }) => void navigate({ to: "/dashboard/dispatches/$id", params: { id }, replace: true }),
    },
  );
  const [from, to] = [fromLocalInput(start, zone), fromLocalInput(end, zone)];
  const send = () => {
    if (from !== null && to !== null) make.run({ start_time: from.toISOString(), end_time: to.toISOString() });
  };
  return (
    <Form onSend={send} error={make.error}>
      <p className="text-muted">
        {say(
          "A test dispatch includes every site of your account that is available in the period. Participants are notified as usual; no email is sent. It is not a response to the market.",
        )}
      </p>
      <LocalTimeField
        label={say("Start", {}, "noun")}
        name="start_time"
        value={start}
        onChange={setStart}
        timeZone={zone}
        fault={from === null ? NO_SUCH_TIME : null}
      />
      <LocalTimeField
        label={say("End")}
        name="end_time"
        value={end}
        onChange={setEnd}
        timeZone={zone}
        fault={to === null ? NO_SUCH_TIME : null}
      />
      <Actions>
        <Button
          type="submit"
          look="primary"
          busy={make.isPending && say("Creating…")}
          disabled={from === null || to === null}
        >
          {say("Create")}
        </Button>
        <Button onClick={onClose}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};
