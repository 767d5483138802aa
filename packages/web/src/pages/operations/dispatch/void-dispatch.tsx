import { VOID_REASON_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { Button } from "../../../ui/button.js";
import { Actions, Dialog } from "../../../ui/dialog.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";

/** Asks for the reason and voids a dispatch that is over. */
export const VoidDispatch = ({
  told,
  onClose,
  onSend,
  busy,
  error,
}: {
  /** How many are notified. */
  readonly told: { readonly accounts: number; readonly sites: number };
  readonly onClose: () => void;
  readonly onSend: (reason: string) => void;
  readonly busy: boolean;
  /** Error of the last attempt to send. */
  readonly error: Error | null;
}) => {
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const isBlank = reason.trim() === "";
  const send = () => {
    setTried(true);
    if (!isBlank) onSend(reason.trim());
  };
  return (
    <Dialog title={say("Void this dispatch?")} open onClose={onClose}>
      <Form onSend={send} error={error}>
        <p>
          {say(
            "The dispatch no longer counts: its results are withdrawn, and baselines no longer exclude its day. {accounts, plural, one {# account} other {# accounts}} with {sites, plural, one {# site} other {# sites}} will be notified and see it as cancelled. This cannot be undone.",
            told,
          )}
        </p>
        <Field
          label={say("Reason")}
          name="void_reason"
          value={reason}
          maxLength={VOID_REASON_CHARACTERS}
          hint={say("Kept in the history and the audit log. Not shown to participants.")}
          fault={isTried && isBlank ? say("Give a reason.") : null}
          onChange={(event) => setReason(event.target.value)}
        />
        <Actions>
          <Button type="submit" look="danger" busy={busy && say("One moment…")}>
            {say("Void it")}
          </Button>
          <Button onClick={onClose}>{say("Back")}</Button>
        </Actions>
      </Form>
    </Dialog>
  );
};
