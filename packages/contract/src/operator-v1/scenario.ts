import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { ScenarioReport, ScenarioType } from "../v2022-04-15/scenario.js";
import { byId, id, integer, moment, nullable, number, string } from "../values.js";
import { Delivery } from "./delivery.js";
import { PageQuery, pageOf } from "./list.js";

const scenarioActs = [
  "polled",
  "fetched",
  "telemetry",
  "controllable_load",
  "ven_polled",
  "ven_acknowledged",
  "openadr3_polled",
  "openadr3_acknowledged",
] as const;

const ScenarioAct = Type.Object(
  {
    what: Type.Enum([...scenarioActs], {
      description:
        "What the participant did. `polled`: listed the dispatches. `fetched`: retrieved a dispatch. `telemetry`, `controllable_load`: uploaded readings. `ven_polled`: a poll of a VEN returned the dispatch. `ven_acknowledged`: a VEN acknowledged it. `openadr3_polled`, `openadr3_acknowledged`: the same over OpenADR 3.1.",
    }),
    dispatch_id: nullable(id("dispatch", "Dispatch that the reply contained; null if there was none.")),
    modification_number: integer("Modification that the reply contained.", 0),
    first_at: moment("When it first happened.", "notified"),
    last_at: moment("When it last happened.", "end"),
    count: integer("Number of times, or of readings.", 12),
  },
  { $id: "ScenarioAct", description: "Something that the participant did during a scenario." },
);

/** A scenario that an account ran in the sandbox. */
export const ScenarioRun = Type.Object(
  {
    id: id("scenario"),
    scenario_type: ScenarioType,
    name: nullable(string("Name that the participant gave it; null if none.", "First rehearsal")),
    speed: number("Speed-up factor.", 60),
    state: Type.Enum(["running", "final"], { description: "`final`: the report no longer changes." }),
    created_at: moment("When the scenario was created.", "created"),
    final_at: moment("When the report becomes or became final.", "later"),
    acts: Type.Array(ScenarioAct, { description: "What the participant did, ordered by `first_at`." }),
  },
  { $id: "ScenarioRun", description: "A scenario that an account ran in the sandbox." },
);
export type ScenarioRun = Static<typeof ScenarioRun>;

export const listAccountScenarios = endpoint({
  id: "listAccountScenarios",
  method: "GET",
  path: "/accounts/{id}/scenarios",
  tag: "Sandbox",
  summary: "List an account's scenarios, newest first",
  description:
    "Returns the scenarios that the account ran in the sandbox and what it did meanwhile. Older scenarios are dropped when the account creates new ones.",
  params: byId("account"),
  query: PageQuery,
  reply: pageOf(ScenarioRun),
});
export const getScenarioReport = endpoint({
  id: "getScenarioReport",
  method: "GET",
  path: "/scenarios/{id}/report",
  tag: "Sandbox",
  summary: "Retrieve the report on a scenario",
  description:
    "Returns each check with its result, as the participant sees it. It may be read while the scenario runs.",
  params: byId("scenario"),
  reply: ScenarioReport,
});
export const listScenarioDeliveries = endpoint({
  id: "listScenarioDeliveries",
  method: "GET",
  path: "/scenarios/{id}/deliveries",
  tag: "Sandbox",
  summary: "List deliveries of a scenario, newest first",
  description: "Returns the deliveries to the account's sandbox webhooks with their attempts.",
  params: byId("scenario"),
  query: PageQuery,
  reply: pageOf(Delivery),
});
