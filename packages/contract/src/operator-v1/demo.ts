import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { boolean, integer, moment, nullable, ratio, string } from "../values.js";

export const demoStates = ["off", "preparing", "on", "removing"] as const;

export const Demo = Type.Object(
  {
    state: Type.Enum([...demoStates], {
      description:
        "`off`: there is no demo. `preparing`: the fleet and its history are being created. `on`: the fleet sends readings and responds to dispatches. `removing`: everything that belongs to the demo is being deleted.",
    }),
    can_start: boolean("Whether the demo can be started now.", false),
    reason: nullable(
      string(
        "Why the demo cannot be started, and what to do; null if it can be started, is being prepared or is on.",
        "The service has accounts: a demo can be started only on a service without accounts.",
      ),
    ),
    progress: nullable(
      ratio("How much of the preparation or removal is done; null in other states.", 0.4, { minimum: 0, maximum: 1 }),
    ),
    started_at: nullable(moment("When the demo was started; null without a demo.", "created")),
    accounts: integer("Number of accounts of the demo.", 4),
    sites: integer("Number of sites of the demo.", 26),
  },
  { $id: "Demo", description: "A simulated fleet, to try the service with." },
);
export type Demo = Static<typeof Demo>;

export const getDemo = endpoint({
  id: "getDemo",
  method: "GET",
  path: "/demo",
  tag: "Demo",
  summary: "Retrieve the demo",
  description:
    "Returns whether the demo is on and whether it can be started. While it is prepared or removed, `progress` advances; retrieve it every few seconds.",
  reply: Demo,
});
export const startDemo = endpoint({
  id: "startDemo",
  method: "POST",
  path: "/demo",
  once: "within",
  tag: "Demo",
  summary: "Start the demo",
  description:
    "Creates a simulated fleet: accounts, sites with meters, readings of the days before, and a few past dispatches. It then sends readings every minute and responds to dispatches. Only a service without accounts can start one, and until it is removed, accounts cannot be added. The request returns at once; preparing takes about a minute. A demo that is prepared or on is returned as it is. Users need the role `operator-admin`.",
  reply: Demo,
});
export const removeDemo = endpoint({
  id: "removeDemo",
  method: "DELETE",
  path: "/demo",
  tag: "Demo",
  summary: "Remove the demo",
  description:
    "Deletes all accounts with everything that belongs to them, and the dispatches and programs of the demo, except for programs that you created and the audit log. Pending notifications are not sent. The request returns at once; removing takes some seconds, and then accounts can be added. Without a demo, nothing changes. Users need the role `operator-admin`.",
  reply: Demo,
});
