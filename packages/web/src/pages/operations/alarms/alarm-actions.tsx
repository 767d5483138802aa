import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useOperator } from "../../../api/use-call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import { count } from "../../../format/quantity.js";
import { namedIn } from "../../../rules/alarm.js";
import { failedDeliveries } from "../../../rules/failed-deliveries.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { NotifiedByPhone } from "../phone-call.js";
import { resendIn } from "../resend.js";
import type { Alarm } from "./alarm.js";

/** Alarms about an account that a dispatch has not reached. */
const aboutReach: ReadonlySet<string> = new Set(["notice_failed", "mail_stuck", "ven_unacknowledged"]);
/** Alarms whose webhook deliveries can be sent again. */
const resendable: ReadonlySet<string> = new Set(["notice_failed", "mail_stuck"]);

/** What an operator can do about an open alarm, next to it. */
export const AlarmActions = ({ alarm, title }: { readonly alarm: Alarm; readonly title: string }) => {
  const { kind, account_id, account_name, contact } = alarm;
  const dispatchId = namedIn(alarm, "dis");
  const isOfReach = dispatchId !== undefined && account_id !== null && aboutReach.has(kind);
  return (
    <div className="flex flex-wrap gap-2">
      {isOfReach && resendable.has(kind) && <Resend dispatchId={dispatchId} accountId={account_id} />}
      {isOfReach && (
        <NotifiedByPhone
          callee={{
            dispatchId,
            accountId: account_id,
            accountName: account_name ?? account_id,
            modification: null,
            contact,
          }}
        />
      )}
      {kind === "delivery_held" && (
        <DialogButton label={say("Release delivery…")} title={say("Release delivery")}>
          {(close) => <ReleaseDelivery onDone={close} />}
        </DialogButton>
      )}
      <DialogButton
        label={say("Acknowledge…")}
        title={say("Acknowledge: {title}", { title })}
        name={say("Acknowledge… {title}", { title })}
      >
        {(close) => <Acknowledge alarm={alarm} onDone={close} />}
      </DialogButton>
    </div>
  );
};

const Acknowledge = ({ alarm: { id, note }, onDone }: { readonly alarm: Alarm; readonly onDone: () => void }) => {
  const draft = useDraft({ note: note ?? "" });
  const change = useFormChange(
    async (values: typeof draft.values) => {
      const said = values.note.trim();
      if (said !== "" && said !== note)
        await callOperator("PUT", "/alarms/{id}/note", { params: { id }, body: { note: said } });
      return callOperator("POST", "/alarms/{id}/acknowledge", { params: { id } });
    },
    { done: say("Alarm acknowledged."), after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <Field
        label={say("Note")}
        maxLength={NAME_CHARACTERS}
        hint={say("Optional: what you found or did. Colleagues see it with the alarm.")}
        {...draft.text("note")}
        autoComplete="off"
      />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("One moment…")}>
          {say("Acknowledge")}
        </Button>
        <Button onClick={onDone}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};

/** Lets a restored service send what waits. */
const ReleaseDelivery = ({ onDone }: { readonly onDone: () => void }) => {
  const { data } = useOperator("/delivery-hold", {});
  const change = useChange(async () => callOperator("DELETE", "/delivery-hold", {}), {
    done: say("Delivery is released: what waited is being sent."),
    after: onDone,
  });
  return (
    <div className="grid gap-4">
      <p>
        {say(
          "Make sure that the service before the restore is off. What it sent after the backup is sent again, and participants are notified of changes since.",
        )}
      </p>
      {data !== undefined && (
        <p>
          {data.waiting === 0
            ? say("Nothing waits to be sent.")
            : say("Waiting to be sent: {n}.", { n: count(data.waiting) })}{" "}
          {data.outdated > 0 && say("Dropped, because their dispatch is over: {n}.", { n: count(data.outdated) })}
        </p>
      )}
      <Actions>
        <Button look="primary" onClick={() => change.run(undefined)} busy={change.isPending && say("One moment…")}>
          {say("Release delivery")}
        </Button>
        <Button onClick={onDone}>{say("Back")}</Button>
      </Actions>
    </div>
  );
};

const resendDelivery = resendIn("production");

/** Sends the failed webhook deliveries of an account again. */
const Resend = ({ dispatchId, accountId }: { readonly dispatchId: string; readonly accountId: string }) => {
  const change = useChange(
    async () => {
      const { items } = await callOperator("GET", "/dispatches/{id}/evidence", {
        params: { id: dispatchId },
        query: { account_id: accountId, limit: 500 },
      });
      const failed = failedDeliveries(items);
      for (const id of failed) await resendDelivery(id);
      return failed.length;
    },
    {
      done: (sent) =>
        sent === 0
          ? say("No webhook delivery has failed: call the account.")
          : say("The webhook will be notified again."),
    },
  );
  return (
    <Button onClick={() => change.run(undefined)} busy={change.isPending && say("One moment…")}>
      {say("Resend")}
    </Button>
  );
};
