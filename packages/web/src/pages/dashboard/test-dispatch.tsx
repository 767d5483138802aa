import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { callConsole } from "../../api/call.js";
import { useChange } from "../../api/use-change.js";
import { fromLocalInput, toLocalInput } from "../../format/local-time.js";
import { Button } from "../../ui/button.js";
import { Actions, Dialog } from "../../ui/dialog.js";
import { Field, Form } from "../../ui/field.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const inMinutes = (minutes: number): string => toLocalInput(new Date(Date.now() + minutes * 60_000), zone);

/** Calls all the account's sites for a test, to see that everything hears of it. */
export const TestDispatch = () => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Make a test dispatch</Button>
      <Dialog title="Make a test dispatch" open={open} onClose={() => setOpen(false)}>
        <TestForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
};

const TestForm = ({ onClose }: { readonly onClose: () => void }) => {
  const [start, setStart] = useState(() => inMinutes(5));
  const [end, setEnd] = useState(() => inMinutes(20));
  const navigate = useNavigate();
  const make = useChange(
    (body: { start_time: string; end_time: string }) => callConsole("POST", "/dispatches", { body }),
    {
      done: "The test dispatch is made.",
      after: ({ id }) => void navigate({ to: "/dashboard/dispatches/$id", params: { id } }),
    },
  );
  const [from, to] = [fromLocalInput(start, zone), fromLocalInput(end, zone)];
  const send = () => {
    if (from !== null && to !== null) make.run({ start_time: from.toISOString(), end_time: to.toISOString() });
  };
  return (
    <Form onSend={send}>
      <p className="text-muted">
        It calls every site of your account that is available then, and is told like any other dispatch. Nobody is
        mailed, and it is no response to a market call.
      </p>
      <Field label="Start" type="datetime-local" value={start} hint={zone} onChange={(e) => setStart(e.target.value)} />
      <Field label="End" type="datetime-local" value={end} hint={zone} onChange={(e) => setEnd(e.target.value)} />
      <Actions>
        <Button type="submit" look="primary" busy={make.isPending && "Making…"} disabled={from === null || to === null}>
          Make it
        </Button>
        <Button onClick={onClose}>Back</Button>
      </Actions>
    </Form>
  );
};
