import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { nullable, Timestamp } from "../values.js";
import { Dispatch, ProgramType } from "./dispatch.js";

export const scenarioTypes = [
  "basic",
  "ancillary_services",
  "back_to_back",
  "update",
  "cancellation",
  "custom",
] as const;

const ScenarioSite = Type.Object(
  {
    id: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    customer_location_id: Type.Optional(Type.String()),
    commitment: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  },
  { $id: "ScenarioSite" },
);

const ScenarioProgram = Type.Object(
  {
    name: Type.String(),
    timezone: Type.String(),
    market: Type.String(),
    program_type: ProgramType,
  },
  { $id: "ScenarioProgram" },
);

const ScenarioState = Type.Object(
  {
    published_time: Timestamp,
    dispatch: Type.Object({
      authorized: Type.Optional(Type.Boolean()),
      test: Type.Optional(Type.Boolean()),
      start_time: Timestamp,
      end_time: Type.Optional(nullable(Timestamp)),
      program: ScenarioProgram,
      sites: Type.Array(ScenarioSite, { minItems: 1 }),
    }),
  },
  { $id: "ScenarioState" },
);

export const createScenario = endpoint({
  id: "createScenario",
  method: "POST",
  path: "/scenarios",
  tag: "Scenarios",
  summary: "Play a dispatch in the sandbox",
  description: "Sandbox only. A new scenario replaces the account's scenario before.",
  body: Type.Object(
    {
      scenario_type: Type.Enum([...scenarioTypes]),
      name: Type.Optional(Type.String()),
      notification_time: Type.Optional(Timestamp),
      start_time: Type.Optional(Timestamp),
      end_time: Type.Optional(nullable(Timestamp)),
      cancel_time: Type.Optional(Timestamp),
      minutes_between_dispatches: Type.Optional(Type.Integer({ minimum: 0 })),
      speed: Type.Optional(Type.Number({ minimum: 1, maximum: 600 })),
      sites: Type.Optional(Type.Array(ScenarioSite, { minItems: 1 })),
      program: Type.Optional(ScenarioProgram),
      dispatches: Type.Optional(
        Type.Record(Type.String(), Type.Object({ states: Type.Array(ScenarioState, { minItems: 1 }) })),
      ),
    },
    { $id: "ScenarioRequest" },
  ),
  reply: Type.Object(
    { id: Type.String(), scenario_type: Type.Enum([...scenarioTypes]), dispatches: Type.Array(Dispatch) },
    { $id: "Scenario" },
  ),
});
