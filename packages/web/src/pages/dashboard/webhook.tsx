import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { callConsole } from "../../api/call.js";
import { mayWrite, useUser } from "../../api/session.js";
import { useConsole, useConsoleList } from "../../api/use-call.js";
import { useChange } from "../../api/use-change.js";
import { exact } from "../../format/time.js";
import { Found } from "../../parts/found.js";
import { Button } from "../../ui/button.js";
import { Card, Facts, PageHead, Stack } from "../../ui/card.js";
import { Confirm } from "../../ui/dialog.js";
import { Deliveries } from "./deliveries.js";
import { OutcomeBadge, outcomeDetail } from "./outcome.js";
import { WebhookSecrets } from "./webhook-secrets.js";

const route = getRouteApi("/dashboard/webhooks/$id");

/** One webhook: its secret, a test, and what it was sent. */
export const WebhookPage = () => {
  const { id } = route.useParams();
  const writes = mayWrite(useUser());
  const deliveries = useConsoleList("/webhooks/{id}/deliveries", { params: { id } });
  return (
    <Found of={useConsole("/webhooks/{id}", { params: { id } })} what="webhook" back="/dashboard/webhooks">
      {(webhook) => (
        <>
          <PageHead title={<span className="break-all">{webhook.url}</span>} actions={writes && <Delete id={id} />} />
          <Stack>
            <Card title="The webhook" actions={writes && <TestNow id={id} />}>
              <Facts
                facts={[
                  ["Told of", webhook.events.join(", ")],
                  ["Added", exact(webhook.created_at)],
                  ["Id", <code key="id">{webhook.id}</code>],
                ]}
              />
            </Card>
            <WebhookSecrets id={id} secrets={webhook.secrets} writes={writes} />
            <Card title="What it was sent" flush>
              <Deliveries list={deliveries} of="webhook" />
            </Card>
          </Stack>
        </>
      )}
    </Found>
  );
};

const TestNow = ({ id }: { readonly id: string }) => {
  const [result, setResult] = useState<Awaited<ReturnType<typeof run>> | null>(null);
  const run = () => callConsole("POST", "/webhooks/{id}/test", { params: { id } });
  const test = useChange(run, { after: setResult });
  return (
    <>
      <span role="status">
        {result !== null && !test.isPending && (
          <>
            <OutcomeBadge outcome={result} /> <span className="text-sm text-muted">{outcomeDetail(result)}</span>
          </>
        )}
      </span>
      <Button onClick={() => test.run(undefined)} busy={test.isPending && "Testing…"}>
        Test now
      </Button>
    </>
  );
};

const Delete = ({ id }: { readonly id: string }) => {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useChange(() => callConsole("DELETE", "/webhooks/{id}", { params: { id } }), {
    done: "The webhook is deleted.",
    after: () => void navigate({ to: "/dashboard/webhooks" }),
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Confirm
        title="Delete this webhook?"
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.run(undefined)}
        action="Delete webhook"
        busy={remove.isPending}
      >
        It is told of nothing any more, of dispatches that run neither. What it was sent so far is kept.
      </Confirm>
    </>
  );
};
