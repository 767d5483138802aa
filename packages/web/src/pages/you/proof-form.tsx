import { say } from "@curtail/words/page";
import { useFormChange } from "../../api/use-change.js";
import { codeOf } from "../../rules/second-factor.js";
import { Button } from "../../ui/button.js";
import { Actions } from "../../ui/dialog.js";
import { Field } from "../../ui/field.js";
import { Form } from "../../ui/form.js";
import { useDraft } from "../../ui/use-draft.js";

/** Password and code in the request body. */
interface Proof {
  readonly password: string;
  readonly totp?: string;
  readonly recovery_code?: string;
}

/** Asks for the password and a code before credentials change. */
export const ProofForm = <Answer,>({
  explanation,
  action,
  look = "primary",
  done,
  send,
  onDone,
}: {
  readonly explanation: string;
  readonly action: string;
  readonly look?: "primary" | "danger";
  readonly done?: string;
  readonly send: (proof: Proof) => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
}) => {
  const draft = useDraft({ password: "", code: "" });
  const { password, code } = draft.values;
  const change = useFormChange(send, { ...(done === undefined ? {} : { done }), after: onDone });
  return (
    <Form onSend={() => change.run({ password, ...codeOf(code) })} error={change.error}>
      <p>{explanation}</p>
      <Field label={say("Your password")} type="password" autoComplete="current-password" {...draft.text("password")} />
      <Field
        label={say("Code")}
        hint={say("Six digits from your authenticator app, or a recovery code.")}
        autoComplete="one-time-code"
        {...draft.text("code")}
        name="totp"
      />
      <Actions>
        <Button type="submit" look={look} busy={change.isPending && say("Checking…")}>
          {action}
        </Button>
      </Actions>
    </Form>
  );
};
