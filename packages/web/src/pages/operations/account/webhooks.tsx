import { say } from "@curtail/words/page";
import { useOperatorList } from "../../../api/use-call.js";
import { Card, Stack } from "../../../ui/card.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";
import { WebhookCard } from "./webhook-card.js";

/** The participant's webhooks, in both environments. */
export const Webhooks = ({ accountId }: { readonly accountId: string }) => {
  const params = { id: accountId };
  const production = useOperatorList("/accounts/{id}/webhooks", { params, query: { environment: "production" } });
  const sandbox = useOperatorList("/accounts/{id}/webhooks", { params, query: { environment: "sandbox" } });
  const webhooks = [...production.items, ...sandbox.items];
  const error = production.error ?? sandbox.error;
  if (production.isPending || sandbox.isPending) return <Waiting />;
  return (
    <Stack>
      {error !== null && <Fault error={error} />}
      {webhooks.map((webhook) => (
        <WebhookCard key={webhook.id} webhook={webhook} />
      ))}
      {webhooks.length === 0 && (
        <Card>
          <Empty>{say("No webhooks yet. The participant registers them with an API key or on its own pages.")}</Empty>
        </Card>
      )}
    </Stack>
  );
};
