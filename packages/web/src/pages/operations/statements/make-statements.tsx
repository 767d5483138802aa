import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { monthBefore } from "../../../rules/statement.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { useNow } from "../../../ui/use-now.js";
import { useAccounts } from "../use-accounts.js";

/** Makes the statements of a month, of all accounts or one. */
export const MakeStatements = ({ onDone }: { readonly onDone: () => void }) => {
  const draft = useDraft({ month: monthBefore(useNow()), account_id: "" });
  const accounts = useAccounts().items;
  const make = useFormChange(
    ({ month, account_id }: typeof draft.values) =>
      callOperator("POST", "/statements", { body: { month, ...(account_id !== "" && { account_id }) } }),
    {
      done: ({ items }) => say("Made {n, plural, one {# statement} other {# statements}}.", { n: items.length }),
      after: onDone,
    },
  );
  return (
    <Form onSend={() => make.run(draft.values)} error={make.error}>
      <p>
        {say("Statements that exist are brought up to date. They follow results and terms until they are approved.")}
      </p>
      <Field label={say("Month")} type="month" required {...draft.text("month")} />
      <Select
        label={say("Account")}
        {...draft.text("account_id")}
        choices={[
          { value: "", label: say("All accounts") },
          ...accounts.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Actions>
        <Button type="submit" look="primary" busy={make.isPending && say("Making…")}>
          {say("Make", {}, "statements")}
        </Button>
      </Actions>
    </Form>
  );
};
