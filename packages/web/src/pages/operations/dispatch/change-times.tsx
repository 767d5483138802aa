import type { BodyOf, operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { fromLocalInput, toLocalInput } from "../../../format/local-time.js";
import { faultOf } from "../../../rules/dispatch-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions, Dialog } from "../../../ui/dialog.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { localHint } from "../../../ui/local-time-field.js";
import type { Dispatch } from "./dispatch.js";
import { LONGER_MINUTES, longer } from "./extend.js";

/** Changes the end of a dispatch, and its start before it has begun. */
export const ChangeTimes = ({
  dispatch: { start_time, end_time, program },
  isUpcoming,
  onClose,
  onSend,
  busy,
  error,
}: {
  readonly dispatch: Dispatch;
  readonly isUpcoming: boolean;
  readonly onClose: () => void;
  readonly onSend: (body: BodyOf<typeof operator.changeDispatch>) => void;
  readonly busy: boolean;
  /** Error of the last attempt to send. */
  readonly error: Error | null;
}) => {
  const zone = program.timezone;
  const hintOf = ({ local }: { readonly local: string }) => localHint(local, zone);
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
  const endFault = end.fault ?? (isLater ? null : say("The end must be after the start."));
  return (
    <Dialog title={say("Change times")} open onClose={onClose}>
      <Form onSend={send} error={error}>
        {isUpcoming && (
          <Field
            label={say("Start", {}, "noun")}
            name="start_time"
            type="datetime-local"
            hint={hintOf(start)}
            fault={start.fault}
            {...start.control}
          />
        )}
        <Field
          label={say("End", {}, "noun")}
          name="end_time"
          type="datetime-local"
          hint={end_time === null ? say("{time}; leave empty for open-ended", { time: hintOf(end) }) : hintOf(end)}
          fault={isOpen ? null : endFault}
          {...end.control}
        />
        <div className="flex flex-wrap items-center gap-2" role="group" aria-label={say("Extend")}>
          {LONGER_MINUTES.map((minutes) => (
            <Button key={minutes} onClick={() => end.choose(longer(end.at, start.at, minutes))}>
              +{minutes} min
            </Button>
          ))}
          {isOpen && (
            <span className="text-sm text-muted">{isUpcoming ? say("from the start on") : say("from now on")}</span>
          )}
        </div>
        <p className="text-sm text-muted">
          {say("All participants of the dispatch are notified of the change immediately.")}
        </p>
        <Actions>
          <Button type="submit" look="primary" busy={busy && say("Changing…")} disabled={!isReady}>
            {say("Change", {}, "verb")}
          </Button>
          <Button onClick={onClose}>{say("Back")}</Button>
        </Actions>
      </Form>
    </Dialog>
  );
};

/** A moment in a field. Until edited it keeps its seconds, which the field does not show. */
const useMoment = (before: string | null, zone: string) => {
  const [first] = useState(() => momentOf(before === null ? null : new Date(before), zone));
  const [{ local, at }, setMoment] = useState(first);
  return {
    local,
    at,
    isChanged: at?.getTime() !== first.at?.getTime() || local !== first.local,
    fault: at === null ? faultOf(local, zone) : null,
    choose: (chosen: Date) => setMoment(momentOf(chosen, zone)),
    control: {
      value: local,
      onChange: ({ target: { value } }: { target: { value: string } }) =>
        setMoment(value === first.local ? first : { local: value, at: fromLocalInput(value, zone) }),
    },
  };
};

const momentOf = (at: Date | null, zone: string) => ({ local: at === null ? "" : toLocalInput(at, zone), at });
