import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { callConsole } from "../../api/call.js";
import { useConsoleList } from "../../api/use-call.js";
import { Deliveries } from "../../parts/deliveries.js";
import type { EnvironmentName } from "../../parts/environment.js";
import type { Column } from "../../ui/table.js";
import { TextLink } from "../../ui/text-link.js";

/** Sandbox dispatches have no page. */
const dispatchOf = (environment: EnvironmentName): Column<operator.Delivery> => ({
  head: say("Dispatch"),
  wide: true,
  cell: ({ dispatch_id }) =>
    environment === "sandbox" ? (
      <code className="break-all">{dispatch_id}</code>
    ) : (
      <TextLink to="/dashboard/dispatches/$id" params={{ id: dispatch_id }}>
        <span className="break-all">{dispatch_id}</span>
      </TextLink>
    ),
});

const webhookOf = (environment: EnvironmentName): Column<operator.Delivery> => ({
  head: say("Webhook"),
  wide: true,
  cell: ({ webhook_id }) => (
    <TextLink
      to="/dashboard/webhooks/$id"
      params={{ id: webhook_id }}
      search={environment === "sandbox" ? { environment } : {}}
    >
      <span className="break-all">{webhook_id}</span>
    </TextLink>
  ),
});

const resendIn = (environment: EnvironmentName) => (id: string) =>
  callConsole("POST", "/deliveries/{id}/resend", { params: { id }, query: { environment } });

export const WebhookDeliveries = ({
  id,
  environment,
}: {
  readonly id: string;
  readonly environment: EnvironmentName;
}) => (
  <Deliveries
    list={useConsoleList("/webhooks/{id}/deliveries", { params: { id }, query: { environment } })}
    others={[dispatchOf(environment)]}
    empty={
      environment === "sandbox"
        ? say("No deliveries yet. They appear here when you run a scenario.")
        : say("No deliveries yet. They appear here with the next dispatch of your sites.")
    }
    resend={resendIn(environment)}
  />
);

/** Deliveries of a scenario in the sandbox; often refreshed while it runs. */
export const ScenarioDeliveries = ({ id, everyMs }: { readonly id: string; readonly everyMs?: number | undefined }) => (
  <Deliveries
    list={useConsoleList("/scenarios/{id}/deliveries", { params: { id } }, everyMs === undefined ? {} : { everyMs })}
    others={[dispatchOf("sandbox"), webhookOf("sandbox")]}
    empty={say("No webhook was notified of this scenario yet.")}
    resend={resendIn("sandbox")}
  />
);

export const DispatchDeliveries = ({ id, timeZone }: { readonly id: string; readonly timeZone: string }) => (
  <Deliveries
    list={useConsoleList("/dispatches/{id}/deliveries", { params: { id } })}
    others={[webhookOf("production")]}
    empty={say("No webhook was notified of this dispatch.")}
    resend={resendIn("production")}
    timeZone={timeZone}
  />
);
