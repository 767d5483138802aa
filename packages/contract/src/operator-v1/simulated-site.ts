import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, moment, nullable, number, string, Timezone } from "../values.js";

export const simulatedSiteStates = ["off", "preparing", "on", "removing"] as const;

export const SimulatedSite = Type.Object(
  {
    state: Type.Enum([...simulatedSiteStates], {
      description:
        "`off`: there is none. `preparing`: readings of the days before are being made. `on`: it sends readings and responds to dispatches. `removing`: everything that belongs to it is being deleted.",
    }),
    reason: nullable(
      string(
        "Why it cannot be added now, and what to do; null if it can be, or is there.",
        "The demo is on: remove it first.",
      ),
    ),
    account_id: nullable(id("account", "Its account; null without one.")),
    program_id: nullable(id("program", "The program that dispatches it; null without one.")),
    site_id: nullable(id("site", "The site; null without one.")),
    commitment: number("Its commitment in kW.", 120),
    started_at: nullable(moment("When it was added; null without one.", "created")),
  },
  { $id: "SimulatedSite", description: "A site that the service simulates, for a first test dispatch." },
);
export type SimulatedSite = Static<typeof SimulatedSite>;

export const getSimulatedSite = endpoint({
  id: "getSimulatedSite",
  method: "GET",
  path: "/simulated-site",
  tag: "Demo",
  summary: "Retrieve the simulated site",
  description:
    "Returns whether there is a simulated site, and its ids. While it is prepared or removed, retrieve it every second.",
  reply: SimulatedSite,
});
export const addSimulatedSite = endpoint({
  id: "addSimulatedSite",
  method: "POST",
  path: "/simulated-site",
  once: "within",
  tag: "Demo",
  summary: "Add the simulated site",
  description:
    "Creates an account, a program and a site with a meter, and the readings of the weeks before. The site then sends readings, learns of dispatches by polling and responds to them. It is marked `simulated` wherever it is listed, and counts in no total, report or statement. Real accounts may exist; while the demo is on, the request is refused. The request returns at once; preparing takes some seconds. A simulated site that is there is returned as it is.",
  body: Type.Object({ timezone: Timezone }),
  reply: SimulatedSite,
});
export const removeSimulatedSite = endpoint({
  id: "removeSimulatedSite",
  method: "DELETE",
  path: "/simulated-site",
  tag: "Demo",
  summary: "Remove the simulated site",
  description:
    "Deletes the site with its account and program, and everything that belongs to them: readings, dispatches with their results, users and keys. The audit log keeps its entries. Its dispatches end without notice. The request returns at once; removing takes some seconds. Without a simulated site, nothing changes.",
  reply: SimulatedSite,
});
