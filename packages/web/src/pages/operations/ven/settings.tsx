import { say } from "@curtail/words/page";
import { useNavigate } from "@tanstack/react-router";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import { ago } from "../../../format/time.js";
import { Environment } from "../../../parts/environment.js";
import { mayWrite } from "../../../rules/role.js";
import {
  ALL_SITES,
  contextWords,
  draftOf,
  POLLING,
  resourceWords,
  settingsOf,
  type Ven,
  type VenDraft,
} from "../../../rules/ven-draft.js";
import { Button } from "../../../ui/button.js";
import { Card, Facts } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { useNow } from "../../../ui/use-now.js";
import { VenFields } from "./ven-fields.js";

/** Settings of the VEN, and its last contact. */
export const Settings = ({ ven }: { readonly ven: Ven }) => {
  const writes = mayWrite(useUser());
  const now = useNow();
  const { transport, targets, sites } = ven;
  return (
    <Card
      title={say("Settings")}
      actions={
        writes && (
          <>
            <DialogButton label={say("Change")} title={say("Change {name}", { name: ven.ven_id })}>
              {(close) => <Change ven={ven} onDone={close} />}
            </DialogButton>
            <Remove ven={ven} />
          </>
        )
      }
    >
      <Facts
        facts={[
          [say("Environment"), <Environment key="environment" of={ven.environment} />],
          [say("Last poll"), ago(ven.last_poll, now)],
          [say("Last acknowledgement"), ago(ven.last_acknowledgement, now)],
          [
            say("Transport"),
            transport === "pull" ? POLLING : say("push to {address}", { address: transport.push_url }),
          ],
          [say("Polls every"), say("{n, plural, one {# second} other {# seconds}}", { n: ven.poll_interval_seconds })],
          [
            say("Sites"),
            sites === "all" ? ALL_SITES : say("{n, plural, one {# site} other {# sites}}", { n: sites.length }),
          ],
          [say("Sites are identified by"), resourceWords[targets.resource]],
          [say("Events name the VEN"), targets.ven_id ? say("yes") : say("no")],
          [say("Market context"), contextWords[ven.market_context]],
          [say("Id"), <code key="id">{ven.id}</code>],
        ]}
      />
    </Card>
  );
};

const Change = ({ ven, onDone }: { readonly ven: Ven; readonly onDone: () => void }) => {
  const draft = useDraft(draftOf(ven));
  const change = useFormChange(
    (to: VenDraft) => callOperator("PATCH", "/vens/{id}", { params: { id: ven.id }, body: settingsOf(to) }),
    { done: say("Saved."), after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <VenFields draft={draft} />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Saving…")}>
          {say("Save")}
        </Button>
      </Actions>
    </Form>
  );
};

const Remove = ({ ven: { id, ven_id, account_id } }: { readonly ven: Ven }) => {
  const navigate = useNavigate();
  const remove = useChange(() => callOperator("DELETE", "/vens/{id}", { params: { id } }), {
    done: say("{name} was deleted.", { name: ven_id }, "VEN"),
    after: () => void navigate({ to: "/operations/accounts/$id", params: { id: account_id }, search: { tab: "vens" } }),
  });
  return (
    <ConfirmButton
      label={say("Delete")}
      look="danger"
      title={say("Delete {name}?", { name: ven_id })}
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      {say(
        "Its certificates and links stop working immediately, and it receives no more events. This cannot be undone.",
      )}
    </ConfirmButton>
  );
};
