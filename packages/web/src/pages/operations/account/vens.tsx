import { say } from "@curtail/words/page";
import { useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { ago } from "../../../format/time.js";
import { Environment } from "../../../parts/environment.js";
import { mayWrite } from "../../../rules/role.js";
import { POLLING } from "../../../rules/ven-draft.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { ListTable } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { useNow } from "../../../ui/use-now.js";
import { NewVen } from "../ven/new-ven.js";

export const Vens = ({ accountId }: { readonly accountId: string }) => {
  const now = useNow();
  return (
    <Card
      flush
      title={say("VENs of OpenADR 2.0a")}
      actions={
        mayWrite(useUser()) && (
          <DialogButton look="primary" label={say("New VEN")}>
            {() => <NewVen accountId={accountId} />}
          </DialogButton>
        )
      }
    >
      <ListTable
        label={say("VENs")}
        list={useOperatorList("/accounts/{id}/vens", { params: { id: accountId } })}
        keyOf={({ id }) => id}
        empty={say(
          "No VENs yet. Add one if the participant's systems use OpenADR 2.0a; others use OpenADR 3 or the REST interface.",
        )}
        columns={[
          {
            head: say("VEN id"),
            cell: ({ id, ven_id }) => (
              <TextLink to="/operations/vens/$id" params={{ id }}>
                {ven_id}
              </TextLink>
            ),
          },
          { head: say("Environment"), cell: ({ environment }) => <Environment of={environment} /> },
          {
            head: say("Transport"),
            cell: ({ transport }) => (transport === "pull" ? POLLING : say("push")),
            wide: true,
          },
          { head: say("Last poll"), cell: ({ last_poll }) => ago(last_poll, now) },
          {
            head: say("Certificate"),
            cell: ({ certificates }) =>
              certificates.some(({ state }) => state === "valid") ? (
                <Badge tone="good">{say("Valid")}</Badge>
              ) : (
                <Badge tone="warn">{say("None")}</Badge>
              ),
          },
        ]}
      />
    </Card>
  );
};
