import { MIN_PASSWORD_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callAuth } from "../../api/call.js";
import { useFormChange } from "../../api/use-change.js";
import { Button } from "../../ui/button.js";
import { Card } from "../../ui/card.js";
import { Actions } from "../../ui/dialog.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { Field } from "../../ui/field.js";
import { Form } from "../../ui/form.js";
import { useDraft } from "../../ui/use-draft.js";

export const Password = () => (
  <Card title={say("Password")}>
    <p className="mb-3 text-muted">{say("Changing your password ends your sessions in other browsers.")}</p>
    <DialogButton label={say("Change password")}>{(close) => <ChangePassword onDone={close} />}</DialogButton>
  </Card>
);

interface Changed {
  readonly password: string;
  readonly new_password: string;
}

const ChangePassword = ({ onDone }: { readonly onDone: () => void }) => {
  const draft = useDraft({ password: "", new_password: "", again: "" });
  const { again, ...body } = draft.values;
  const change = useFormChange((changed: Changed) => callAuth("POST", "/password", { body: changed }), {
    done: say("Password changed."),
    after: onDone,
  });
  const [isTried, setTried] = useState(false);
  const differs = again !== body.new_password && (isTried || again !== "");
  const send = () => (again === body.new_password ? change.run(body) : setTried(true));
  return (
    <Form onSend={send} error={change.error}>
      <Field
        label={say("Current password")}
        type="password"
        autoComplete="current-password"
        {...draft.text("password")}
      />
      <Field
        label={say("New password")}
        hint={say("At least {n} characters.", { n: MIN_PASSWORD_CHARACTERS })}
        type="password"
        autoComplete="new-password"
        {...draft.text("new_password")}
      />
      <Field
        label={say("Confirm new password")}
        type="password"
        autoComplete="new-password"
        fault={differs ? say("The passwords do not match.") : null}
        {...draft.text("again")}
      />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Changing…")}>
          {say("Change password")}
        </Button>
      </Actions>
    </Form>
  );
};
