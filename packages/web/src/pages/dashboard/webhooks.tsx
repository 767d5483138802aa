import { say } from "@curtail/words/page";
import { useUser } from "../../api/session.js";
import { useConsole } from "../../api/use-call.js";
import { Environment } from "../../parts/environment.js";
import { mayWrite } from "../../rules/role.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { Answered } from "../../ui/state.js";
import { WebhookList } from "./webhooks/list.js";
import { NewWebhook } from "./webhooks/new-webhook.js";

/** The account's webhooks. */
export const WebhooksPage = () => {
  const writes = mayWrite(useUser());
  return (
    <>
      <PageHead
        title={say("Webhooks")}
        lead={say("Webhooks notify your systems of dispatches and changes immediately.")}
        actions={
          writes && (
            <DialogButton look="primary" label={say("Add webhook")}>
              {(close) => <NewWebhook onClose={close} />}
            </DialogButton>
          )
        }
      />
      <Stack>
        <Card flush>
          <Answered of={useConsole("/webhooks", {})}>
            {({ webhooks }) => (
              <WebhookList
                label={say("Webhooks")}
                environment="production"
                webhooks={webhooks}
                empty={
                  writes
                    ? say("No webhooks yet. Add the address of your system, or poll for dispatches, or use OpenADR.")
                    : say("No webhooks yet. An admin of your account can add them.")
                }
              />
            )}
          </Answered>
        </Card>
        <Card title={<Environment of="sandbox" />} flush>
          <Answered of={useConsole("/webhooks", { query: { environment: "sandbox" } })}>
            {({ webhooks }) => (
              <WebhookList
                label={say("Sandbox webhooks")}
                environment="sandbox"
                webhooks={webhooks}
                empty={say(
                  "No webhooks in the sandbox yet. Sandbox webhooks are notified of the scenarios that you run.",
                )}
              />
            )}
          </Answered>
        </Card>
      </Stack>
    </>
  );
};
