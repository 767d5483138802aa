import type { BodyOf, operator } from "@curtail/contract";
import { useState } from "react";
import { fromLocalInput, toLocalInput } from "../../../format/local-time.js";
import { Button } from "../../../ui/button.js";
import { Actions, Dialog } from "../../../ui/dialog.js";
import { Field, Form } from "../../../ui/field.js";
import type { Dispatch } from "../dispatch.js";
import { faultOf } from "../new-dispatch/draft.js";

/** Other times for a dispatch; its start only before it has begun. */
export const ChangeTimes = ({
  dispatch: { start_time, end_time, program },
  isUpcoming,
  onClose,
  onSend,
  busy,
}: {
  readonly dispatch: Dispatch;
  readonly isUpcoming: boolean;
  readonly onClose: () => void;
  readonly onSend: (body: BodyOf<typeof operator.changeDispatch>) => void;
  readonly busy: boolean;
}) => {
  const zone = program.timezone;
  const hint = `On the clocks of ${zone}`;
  const start = useMoment(start_time, zone);
  const end = useMoment(end_time, zone);
  const isOpen = end.local === "" && end_time === null;
  const isLater = isOpen || start.at === null || end.at === null || end.at > start.at;
  const isChanged = start.isChanged || end.isChanged;
  const isReady = isChanged && start.at !== null && (isOpen || end.at !== null) && isLater;
  const send = () =>
    isReady &&
    onSend({
      ...(start.isChanged && start.at !== null ? { start_time: start.at.toISOString() } : {}),
      ...(end.isChanged && end.at !== null ? { end_time: end.at.toISOString() } : {}),
    });
  const endFault = end.fault ?? (isLater ? null : "The end has to be later than the start.");
  return (
    <Dialog title="Change times" open onClose={onClose}>
      <Form onSend={send}>
        {isUpcoming && <Field label="Start" type="datetime-local" hint={hint} fault={start.fault} {...start.control} />}
        <Field
          label="End"
          type="datetime-local"
          hint={end_time === null ? `${hint}; empty while it is open` : hint}
          fault={isOpen ? null : endFault}
          {...end.control}
        />
        <p className="text-sm text-muted">Everybody who is called is told of the change at once.</p>
        <Actions>
          <Button type="submit" look="primary" busy={busy && "Changing…"} disabled={!isReady}>
            Change
          </Button>
          <Button onClick={onClose}>Back</Button>
        </Actions>
      </Form>
    </Dialog>
  );
};

/** A moment in a field. Left alone it keeps its seconds, which the field does not show. */
const useMoment = (before: string | null, zone: string) => {
  const [first] = useState(() => (before === null ? "" : toLocalInput(new Date(before), zone)));
  const [local, setLocal] = useState(first);
  const isChanged = local !== first;
  const at = isChanged ? fromLocalInput(local, zone) : before === null ? null : new Date(before);
  return {
    local,
    at,
    isChanged,
    fault: at === null ? faultOf(local, zone) : null,
    control: { value: local, onChange: (event: { target: { value: string } }) => setLocal(event.target.value) },
  };
};
