import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useOperatorList } from "../../../api/use-call.js";
import { Deliveries } from "../../../parts/deliveries.js";
import type { EnvironmentName } from "../../../parts/environment.js";
import type { Column } from "../../../ui/table.js";
import { DispatchLink } from "../dispatch-link.js";
import { resendIn } from "../resend.js";

/** Deliveries of one webhook, newest first. */
export const WebhookDeliveries = ({
  id,
  environment,
}: {
  readonly id: string;
  readonly environment: EnvironmentName;
}) => (
  <div className="-mx-4 mt-3 border-t border-line">
    <Deliveries
      list={useOperatorList("/webhooks/{id}/deliveries", { params: { id }, query: { environment } })}
      others={[dispatchOf(environment)]}
      empty={say("No deliveries yet. They appear here with the next dispatch to this participant.")}
      resend={resendIn(environment)}
    />
  </div>
);

/** Deliveries of a scenario in the sandbox. */
export const ScenarioDeliveries = ({ id }: { readonly id: string }) => (
  <Deliveries
    list={useOperatorList("/scenarios/{id}/deliveries", { params: { id } })}
    others={[dispatchOf("sandbox")]}
    empty={say("No webhook was notified of this scenario yet.")}
    resend={resendIn("sandbox")}
  />
);

/** Sandbox dispatches have no page. */
const dispatchOf = (environment: EnvironmentName): Column<operator.Delivery> => ({
  head: say("Dispatch"),
  cell: ({ dispatch_id: id }) => (
    <span className="break-all">{environment === "production" ? <DispatchLink id={id} /> : <code>{id}</code>}</span>
  ),
});
