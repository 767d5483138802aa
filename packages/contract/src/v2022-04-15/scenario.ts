import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { boolean, byId, id, integer, moment, moments, nullable, number, string, Timezone, text } from "../values.js";
import { Dispatch, dispatchEnd, dispatchStart, ProgramType } from "./dispatch.js";
import { paging } from "./list.js";

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
const MAX_COMMITMENT_KW = 10_000_000;

const siteExample = { id: "store-12", name: "Northgate Store 12", commitment: 250 };
const programExample = {
  name: "Summer Peak",
  timezone: "America/Chicago",
  market: "ERCOT",
  program_type: "capacity",
};
const stateExample = {
  published_time: moments.notified,
  dispatch: { start_time: moments.start, end_time: moments.end, program: programExample, sites: [siteExample] },
};

/** What happens in a scenario (G37). */
export const ScenarioType = Type.Enum([...scenarioTypes], {
  description:
    "What happens. `basic`: one dispatch. `ancillary_services`: the end is unknown at first. `back_to_back`: a second dispatch follows the first. `update`: start and end move later. `cancellation`: the dispatch is cancelled. `custom`: the states given in `dispatches`.",
});

const ScenarioSite = Type.Object(
  {
    id: Type.Optional({
      ...text(50, "Id of a sandbox site. Any other value labels a site that is created for this scenario.", "store-12"),
      identifies: "site" as const,
    }),
    name: Type.Optional(text(200, "Name of a site that is created for this scenario.", "Northgate Store 12")),
    customer_location_id: Type.Optional(text(200, "Selects a sandbox site if no id is given.", "store-12")),
    commitment: Type.Optional(
      nullable(
        integer("Load reduction that the site commits to, in kW.", 250, { minimum: 0, maximum: MAX_COMMITMENT_KW }),
      ),
    ),
  },
  { $id: "ScenarioSite", description: "A site. At least one of `id`, `customer_location_id` and `name` is required." },
);
export type ScenarioSite = Static<typeof ScenarioSite>;

const ScenarioProgram = Type.Object(
  {
    name: text(200, "Name of the program.", "Summer Peak"),
    timezone: Timezone,
    market: text(200, 'Market in which the program participates, as free text; "" for none.', "ERCOT"),
    program_type: ProgramType,
  },
  { $id: "ScenarioProgram", description: "Program of the simulated dispatches." },
);
export type ScenarioProgram = Static<typeof ScenarioProgram>;

const sites = Type.Array(ScenarioSite, {
  minItems: 1,
  maxItems: MAX_SITES,
  description: "Sites of the simulated dispatches.",
});

const ScenarioState = Type.Object(
  {
    published_time: moment("When the dispatch takes this state and notifications are sent.", "notified"),
    dispatch: Type.Object(
      {
        authorized: Type.Optional(boolean("`false`: the dispatch is cancelled. Default: `true`.", true)),
        test: Type.Optional(boolean("`true`: a test dispatch, not a response to a market call. Default: `false`.")),
        start_time: dispatchStart,
        end_time: Type.Optional(dispatchEnd),
        program: ScenarioProgram,
        sites,
      },
      { description: "The dispatch in this state." },
    ),
  },
  { $id: "ScenarioState", description: "A state of a dispatch and the time from which it applies." },
);
export type ScenarioState = Static<typeof ScenarioState>;

const Scenario = Type.Object(
  {
    id: id("scenario"),
    scenario_type: ScenarioType,
    dispatches: Type.Array(Dispatch, { description: "The dispatches in their first state." }),
  },
  { $id: "Scenario", description: "Simulated dispatches in the sandbox." },
);
export type Scenario = Static<typeof Scenario>;

export const createScenario = endpoint({
  id: "createScenario",
  method: "POST",
  path: "/scenarios",
  once: "within",
  tag: "Scenarios",
  summary: "Create a scenario in the sandbox",
  description:
    "Sandbox only. Simulates dispatches that notify webhooks and VENs and can be polled like real ones. The account's current scenario ends.\n\n`start_time`, `end_time`, `sites` and `program` are required for every type except `custom`, which requires `dispatches`. `end_time` may be null for `basic` and `ancillary_services`.\n\nThe newest 100 scenarios of an account are kept, fewer if they have more than 10,000 sites together. More than 10,000 sites per minute get 429.",
  body: Type.Object(
    {
      scenario_type: ScenarioType,
      name: Type.Optional(text(200, "Name of your choice.", "First rehearsal")),
      notification_time: Type.Optional(
        moment("When `dispatch.create` is sent, at most 24 hours ahead. Default: now.", "notified"),
      ),
      start_time: Type.Optional(dispatchStart),
      end_time: Type.Optional(dispatchEnd),
      cancel_time: Type.Optional(
        moment("For `cancellation`: when the dispatch is cancelled. Default: half-way from start to end.", "now"),
      ),
      minutes_between_dispatches: Type.Optional(
        integer("For `back_to_back`: pause between the dispatches, in minutes. Default: 0.", 10, {
          minimum: 0,
          maximum: 1440,
        }),
      ),
      speed: Type.Optional(
        number("Speed-up factor: a time t becomes now + (t - now) / speed. Default: 1.", 60, {
          minimum: 1,
          maximum: 600,
        }),
      ),
      sites: Type.Optional(sites),
      program: Type.Optional(ScenarioProgram),
      dispatches: Type.Optional(
        Type.Record(
          Type.String(),
          Type.Object({
            states: Type.Array(ScenarioState, {
              minItems: 1,
              maxItems: MAX_STATES,
              description: "States in ascending order of `published_time`.",
            }),
          }),
          {
            minProperties: 1,
            maxProperties: MAX_DISPATCHES,
            propertyNames: { minLength: 1, maxLength: MAX_LABEL },
            description:
              "For `custom`: the states of each dispatch, by a label of your choice with 1 to 100 characters.",
            examples: [{ first: { states: [stateExample] } }],
          },
        ),
      ),
    },
    {
      $id: "ScenarioRequest",
      description: "A scenario to simulate.",
      documented: {
        if: { properties: { scenario_type: { const: "custom" } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema.
        then: { required: ["dispatches"] },
        else: { required: ["start_time", "end_time", "sites", "program"] },
      },
      examples: [
        {
          scenario_type: "basic",
          notification_time: moments.notified,
          start_time: moments.start,
          end_time: moments.end,
          sites: [siteExample],
          program: programExample,
        },
      ],
    },
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
    { ...paging, scenarios: Type.Array(Scenario, { description: "The scenarios, newest first." }) },
    { $id: "ScenarioList", description: "Scenarios of the account." },
  ),
});

export const deleteScenario = endpoint({
  id: "deleteScenario",
  method: "DELETE",
  path: "/scenarios/{id}",
  tag: "Scenarios",
  summary: "Delete a scenario",
  description:
    "Sandbox only. Ends the scenario and deletes its dispatches and its report. Webhooks get no more notifications of them; VENs receive a cancellation.",
  params: byId("scenario"),
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
    name: Type.Enum([...criterionNames], {
      description:
        "What is checked. `notified`: a notification was delivered. `fetched`: the dispatch was fetched or polled. `update_fetched`: so was its update. `stopped_on_cancel`: the load returned after the cancellation. `curtailed_in_time`: the site reduced its load in time. `returned_after`: the load returned after the end.",
    }),
    dispatch_id: id("dispatch", "Dispatch that is checked."),
    site_id: nullable(id("site", "Site that is checked; null if the account is checked.")),
    result: Type.Enum(["passed", "failed", "not_seen"], {
      description: "`not_seen`: not decided yet, or nothing was received that could decide it.",
    }),
    at: nullable(moment("When the result was decided; null for `not_seen`.")),
    detail: string("Reason for the result.", "delivered to https://example.com/hooks"),
  },
  { $id: "Criterion", description: "A check of what the participant did." },
);

export const noticeForms = ["webhook", "get", "openadr2", "openadr3"] as const;

const ScenarioNotice = Type.Object(
  {
    dispatch_id: id("dispatch", "Dispatch that it was about."),
    modification_number: integer("Modification of the dispatch.", 0),
    form: Type.Enum([...noticeForms], {
      description:
        "How your systems were notified. `webhook`: a request to a webhook. `get`: read with GET /dispatches or GET /dispatches/{id}. `openadr2`: in an answer to a VEN of OpenADR 2.0a, or acknowledged by one. `openadr3`: in an answer to a VEN of OpenADR 3.1, or answered by its report.",
    }),
    at: moment("When it first happened; of a webhook, its last attempt.", "notified"),
    accepted: boolean("False for a webhook that has not accepted it.", true),
    detail: string("Address and outcome of a webhook; empty otherwise.", "https://example.com/hooks: 200"),
  },
  { $id: "ScenarioNotice", description: "A modification of a dispatch that reached your systems, or did not." },
);

/** What a participant did in a scenario, criterion by criterion (G44). */
export const ScenarioReport = Type.Object(
  {
    id: id("scenario"),
    scenario_type: ScenarioType,
    state: Type.Enum(["running", "final"], {
      description:
        "`final`: 15 minutes (divided by `speed`) have passed since the last end, or another scenario has replaced this one.",
    }),
    criteria: Type.Array(Criterion, { description: "The checks." }),
    notices: Type.Array(ScenarioNotice, {
      description: "In which forms your systems were notified of each modification, oldest first; 1,000 at most.",
    }),
  },
  { $id: "ScenarioReport", description: "Report on a scenario." },
);
export type ScenarioReport = Static<typeof ScenarioReport>;

export const reportScenario = endpoint({
  id: "reportScenario",
  method: "GET",
  path: "/scenarios/{id}/report",
  tag: "Scenarios",
  summary: "Retrieve the report on a scenario",
  description:
    "Sandbox only. Returns each check with its result and when it was decided. It may be read while the scenario runs.",
  params: byId("scenario"),
  reply: ScenarioReport,
});
