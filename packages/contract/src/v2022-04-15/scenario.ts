import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp, Timezone, text } from "../values.js";
import { Dispatch, ProgramType } from "./dispatch.js";

export const scenarioTypes = [
  "basic",
  "ancillary_services",
  "back_to_back",
  "update",
  "cancellation",
  "custom",
] as const;

const MAX_SITES = 100;
const MAX_DISPATCHES = 20;
const MAX_STATES = 50;
const MAX_LABEL = 100;

const ScenarioType = Type.Enum([...scenarioTypes], { description: "Kind of scenario." });

const ScenarioSite = Type.Object(
  {
    id: Type.Optional(
      text(50, "Id of a sandbox site. Any other value labels a site that is created for this scenario."),
    ),
    name: Type.Optional(text(200, "Name of a site that is created for this scenario.")),
    customer_location_id: Type.Optional(text(200, "Selects a sandbox site where no id is given.")),
    commitment: Type.Optional(
      nullable(Type.Integer({ minimum: 0, maximum: 10_000_000, description: "Commitment in kW." })),
    ),
  },
  { $id: "ScenarioSite", description: "A site; at least one of id, customer_location_id and name must be given." },
);
export type ScenarioSite = Static<typeof ScenarioSite>;

const ScenarioProgram = Type.Object(
  {
    name: text(200, "Program name."),
    timezone: Timezone,
    market: text(200, "Market in which the program participates."),
    program_type: ProgramType,
  },
  { $id: "ScenarioProgram" },
);
export type ScenarioProgram = Static<typeof ScenarioProgram>;

const sites = Type.Array(ScenarioSite, { minItems: 1, maxItems: MAX_SITES });

const ScenarioState = Type.Object(
  {
    published_time: Timestamp,
    dispatch: Type.Object({
      authorized: Type.Optional(Type.Boolean({ description: "false: cancelled; true unless given." })),
      test: Type.Optional(Type.Boolean({ description: "A test, not a market call; false unless given." })),
      start_time: Timestamp,
      end_time: Type.Optional(nullable(Timestamp)),
      program: ScenarioProgram,
      sites,
    }),
  },
  { $id: "ScenarioState" },
);
export type ScenarioState = Static<typeof ScenarioState>;

const Scenario = Type.Object(
  {
    id: id("scenario", "Identifier of the scenario, for its report."),
    scenario_type: ScenarioType,
    dispatches: Type.Array(Dispatch, { description: "The dispatches as they are first announced." }),
  },
  { $id: "Scenario" },
);
export type Scenario = Static<typeof Scenario>;

export const createScenario = endpoint({
  id: "createScenario",
  method: "POST",
  path: "/scenarios",
  once: "within",
  tag: "Scenarios",
  summary: "Play dispatches in the sandbox",
  description:
    "Sandbox only. Ends the account's current scenario. The newest 100 scenarios of an account are kept, fewer if they have more than 10,000 sites together. An account may create scenarios with at most 10,000 sites a minute. `start_time`, `end_time`, `sites` and `program` are required for every type except `custom`, which requires `dispatches`. `end_time` may be null for `basic` and `ancillary_services`.",
  body: Type.Object(
    {
      scenario_type: ScenarioType,
      name: Type.Optional(text(200, "Name of your choice.")),
      notification_time: Type.Optional(Timestamp),
      start_time: Type.Optional(Timestamp),
      end_time: Type.Optional(nullable(Timestamp)),
      cancel_time: Type.Optional(Timestamp),
      minutes_between_dispatches: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 1440, description: "For back_to_back; 0 unless given." }),
      ),
      speed: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: 600,
          description: "How many times faster to play it: a time t becomes now + (t - now) / speed. 1 unless given.",
        }),
      ),
      sites: Type.Optional(sites),
      program: Type.Optional(ScenarioProgram),
      dispatches: Type.Optional(
        Type.Record(
          Type.String(),
          Type.Object({ states: Type.Array(ScenarioState, { minItems: 1, maxItems: MAX_STATES }) }),
          {
            minProperties: 1,
            maxProperties: MAX_DISPATCHES,
            propertyNames: { minLength: 1, maxLength: MAX_LABEL },
            description:
              "For custom: the states of each dispatch, under a label of your choice with 1 to 100 characters.",
          },
        ),
      ),
    },
    { $id: "ScenarioRequest" },
  ),
  reply: Scenario,
});

export const listScenarios = endpoint({
  id: "listScenarios",
  method: "GET",
  path: "/scenarios",
  tag: "Scenarios",
  summary: "List your scenarios, newest first",
  description: "Sandbox only. Includes scenarios that have ended, until they are deleted or replaced by newer ones.",
  reply: Type.Object(
    { page: Type.Integer(), perPage: Type.Integer(), scenarios: Type.Array(Scenario) },
    { $id: "ScenarioList" },
  ),
});

const byScenarioId = Type.Object({ id: Type.String({ description: "Scenario id." }) });

export const deleteScenario = endpoint({
  id: "deleteScenario",
  method: "DELETE",
  path: "/scenarios/{id}",
  tag: "Scenarios",
  summary: "End and delete a scenario",
  description:
    "Sandbox only. Deletes its dispatches and its report. No more notifications are sent for them, and VENs receive a cancellation.",
  params: byScenarioId,
  reply: Scenario,
});

export const criterionNames = [
  "notified",
  "fetched",
  "update_fetched",
  "stopped_on_cancel",
  "curtailed_in_time",
  "returned_after",
] as const;

const Criterion = Type.Object(
  {
    name: Type.Enum([...criterionNames], { description: "What is checked." }),
    dispatch_id: id("dispatch", "Dispatch that is checked."),
    site_id: nullable(id("site", "Site that is checked; null if the account is checked.")),
    result: Type.Enum(["passed", "failed", "not_seen"], {
      description: "not_seen: not decided yet, or nothing was received that could decide it.",
    }),
    at: nullable(Timestamp),
    detail: Type.String({ description: "Reason for the result, in plain text." }),
  },
  { $id: "Criterion" },
);

/** What a run of a scenario showed (G44). */
export const ScenarioReport = Type.Object(
  {
    id: id("scenario", "Identifier of the scenario."),
    scenario_type: ScenarioType,
    state: Type.Enum(["running", "final"], {
      description: "final: 15 minutes, divided by speed, after the last end, or when another scenario began.",
    }),
    criteria: Type.Array(Criterion),
  },
  { $id: "ScenarioReport" },
);
export type ScenarioReport = Static<typeof ScenarioReport>;

export const reportScenario = endpoint({
  id: "reportScenario",
  method: "GET",
  path: "/scenarios/{id}/report",
  tag: "Scenarios",
  summary: "Retrieve the report of a scenario",
  description: "Sandbox only. Each criterion with its result and the time it was decided.",
  params: byScenarioId,
  reply: ScenarioReport,
});
