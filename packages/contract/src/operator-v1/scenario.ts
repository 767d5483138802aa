import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { ScenarioReport, scenarioTypes } from "../v2022-04-15/scenario.js";
import { id, nullable, Timestamp } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

const ScenarioAct = Type.Object(
  {
    what: Type.Enum(["polled", "fetched", "telemetry", "controllable_load", "ven_polled", "ven_acknowledged"], {
      description:
        "Listed the dispatches, retrieved one, or sent readings that were taken; or a VEN was shown the dispatch by a poll, or acknowledged it.",
    }),
    dispatch_id: nullable(id("dispatch", "Dispatch that it saw; null where it saw none.")),
    modification_number: Type.Integer({ description: "Modification that it saw." }),
    first_at: Timestamp,
    last_at: Timestamp,
    count: Type.Integer({ description: "How often; of readings, how many." }),
  },
  { $id: "ScenarioAct" },
);

/** A run of a scenario in the sandbox. */
export const ScenarioRun = Type.Object(
  {
    id: id("scenario", "Scenario id."),
    scenario_type: Type.Enum([...scenarioTypes]),
    name: nullable(Type.String({ description: "Name that the participant gave it." })),
    speed: Type.Number({ description: "How many times faster than stated it is played." }),
    state: Type.Enum(["running", "final"]),
    created_at: Timestamp,
    final_at: Timestamp,
    acts: Type.Array(ScenarioAct, { description: "What the participant did, in the order of its first time." }),
  },
  { $id: "ScenarioRun" },
);
export type ScenarioRun = Static<typeof ScenarioRun>;

export const listAccountScenarios = endpoint({
  id: "listAccountScenarios",
  method: "GET",
  path: "/accounts/{id}/scenarios",
  tag: "Sandbox",
  summary: "List an account's runs in the sandbox, newest first",
  params: byId,
  query: PageQuery,
  reply: pageOf(ScenarioRun),
});
export const getScenarioReport = endpoint({
  id: "getScenarioReport",
  method: "GET",
  path: "/scenarios/{id}/report",
  tag: "Sandbox",
  summary: "Judge what a participant did in a scenario",
  params: byId,
  reply: ScenarioReport,
});
