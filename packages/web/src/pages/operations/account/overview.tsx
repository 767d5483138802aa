import type { operator } from "@curtail/contract";
import { NAME_CHARACTERS } from "@curtail/contract/constants";
import type { Language } from "@curtail/contract/lists/languages";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useOperator } from "../../../api/use-call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import { count } from "../../../format/quantity.js";
import { Certified } from "../../../parts/certified.js";
import { CutOffButton } from "../../../parts/cut-off-button.js";
import { asksForNear, NearMatchQuestion } from "../../../parts/near-match.js";
import { certifiedBy } from "../../../rules/certificate.js";
import { mayWrite } from "../../../rules/role.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Card, Facts, Stack } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Field } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { LanguageChoice, LanguageName } from "../../../ui/language-choice.js";
import { Exact } from "../../../ui/page-zone.js";
import { Answered } from "../../../ui/state.js";
import { AtAGlance } from "./at-a-glance.js";

export type Account = operator.Account;

export const Overview = ({ account }: { readonly account: Account }) => {
  const writes = mayWrite(useUser());
  return (
    <Stack>
      <AtAGlance accountId={account.id} />
      <Card
        title={say("Account")}
        actions={
          writes && (
            <>
              <DialogButton label={say("Rename")}>
                {(close) => <Rename account={account} onDone={close} />}
              </DialogButton>
              <DialogButton label={say("Language")}>
                {(close) => <ChangeLanguage account={account} onDone={close} />}
              </DialogButton>
              <CancelTests account={account} />
              <Ability account={account} />
            </>
          )
        }
      >
        <Facts
          facts={[
            [say("Name"), account.name],
            [
              say("State"),
              account.disabled ? (
                <Badge tone="bad">{say("Disabled")}</Badge>
              ) : (
                <Badge tone="good">{say("Enabled")}</Badge>
              ),
            ],
            [say("Integration"), <Integration key="integration" accountId={account.id} />],
            [
              say("Language"),
              account.language === null ? (
                say("That of the service")
              ) : (
                <LanguageName key="language" of={account.language} />
              ),
            ],
            [say("Created"), <Exact key="created" at={account.created_at} />],
            [say("Id"), <code key="id">{account.id}</code>],
          ]}
        />
      </Card>
    </Stack>
  );
};

/** Of the account's systems, by its newest certificate. */
const Integration = ({ accountId }: { readonly accountId: string }) => (
  <Answered
    of={useOperator("/accounts/{id}/integration-certificates", { params: { id: accountId }, query: { limit: 1 } })}
  >
    {({ items: [newest] }) => <Certified of={newest === undefined ? null : certifiedBy(newest)} />}
  </Answered>
);

const Rename = ({ account: { id, name }, onDone }: { readonly account: Account; readonly onDone: () => void }) => {
  const [typed, setTyped] = useState(name);
  const rename = useFormChange(
    (confirm_near_match: boolean) =>
      callOperator("PATCH", "/accounts/{id}", { params: { id }, body: { name: typed.trim(), confirm_near_match } }),
    { done: say("Account renamed."), after: onDone },
  );
  return (
    <Form onSend={() => rename.run(false)} error={asksForNear(rename.error) ? null : rename.error}>
      <Field
        label={say("Name")}
        maxLength={NAME_CHARACTERS}
        name="name"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Actions>
        <Button type="submit" look="primary" busy={rename.isPending && say("Saving…")}>
          {say("Save")}
        </Button>
      </Actions>
      <NearMatchQuestion
        noun="account"
        isChange
        fault={rename.error}
        onClose={rename.reset}
        onConfirm={() => rename.run(true)}
        busy={rename.isPending}
      />
    </Form>
  );
};

const ChangeLanguage = ({
  account: { id, language },
  onDone,
}: {
  readonly account: Account;
  readonly onDone: () => void;
}) => {
  const [chosen, setChosen] = useState<Language | null>(language);
  const change = useFormChange(
    () => callOperator("PATCH", "/accounts/{id}", { params: { id }, body: { language: chosen } }),
    { done: say("Language changed."), after: onDone },
  );
  return (
    <Form onSend={() => change.run(undefined)} error={change.error}>
      <LanguageChoice
        value={chosen}
        none={say("That of the service")}
        hint={say("Of emails, messages and calendars to people of the account who have not chosen their own.")}
        onChoose={setChosen}
      />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Saving…")}>
          {say("Save")}
        </Button>
      </Actions>
    </Form>
  );
};

const CancelTests = ({ account: { id, name } }: { readonly account: Account }) => {
  const cancel = useChange(() => callOperator("POST", "/accounts/{id}/tests/cancel", { params: { id } }), {
    done: ({ cancelled }) =>
      cancelled.length === 0
        ? say("No test dispatches to cancel.")
        : say("Test dispatches cancelled: {n}.", { n: count(cancelled.length) }),
  });
  return (
    <ConfirmButton
      label={say("Cancel tests")}
      title={say("Cancel the test dispatches of {name}?", { name })}
      run={() => cancel.run(undefined)}
      busy={cancel.isPending}
    >
      {say(
        "Cancels all upcoming and current test dispatches that the account created itself, and notifies its systems. Dispatches issued by operators are not affected.",
      )}
    </ConfirmButton>
  );
};

const Ability = ({ account: { id, name, disabled } }: { readonly account: Account }) => {
  const change = useChange(
    () => callOperator("PATCH", "/accounts/{id}", { params: { id }, body: { disabled: false } }),
    { done: say("Account enabled.") },
  );
  if (disabled)
    return (
      <Button look="primary" onClick={() => change.run(undefined)} busy={change.isPending && say("Enabling…")}>
        {say("Enable")}
      </Button>
    );
  return (
    <CutOffButton
      label={say("Disable")}
      look="danger"
      title={say("Disable {name}?", { name })}
      run={(confirm_running) =>
        callOperator("PATCH", "/accounts/{id}", { params: { id }, body: { disabled: true, confirm_running } })
      }
      done={say("Account disabled.")}
    >
      {say(
        "All its API keys are rejected immediately. Its systems cannot read dispatches or send readings until the account is enabled again.",
      )}
    </CutOffButton>
  );
};
