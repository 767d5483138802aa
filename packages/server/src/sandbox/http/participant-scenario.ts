import {
  type BodyOf,
  createScenario,
  deleteScenario,
  listScenarios,
  reportScenario,
  type ScenarioProgram,
  type ScenarioSite,
  type Scenario as WireScenario,
  type ScenarioState as WireState,
} from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { dispatchToWire } from "../../dispatch/http/wire-dispatch.js";
import { serve } from "../../platform/http/endpoint.js";
import { type OncePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments } from "../../platform/http/timestamps.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, mapResult, type Result } from "../../platform/refusal.js";
import { canonicalTimezone } from "../../portfolio/domain/timezone.js";
import type {
  CustomRequest,
  NamedProgram,
  NamedSite,
  Scenario,
  ScenarioRequest,
  ScenarioState,
  SimpleRequest,
} from "../domain/scenario.js";
import type { ScenarioService, ScenarioWithin } from "../operations/scenario-service.js";
import { reportToWire } from "./wire-report.js";

/** Ports that store the sandbox's answers, and those for work within its transactions. */
export type ScenarioOncePorts = OncePorts<ScenarioWithin> & Partial<ScenarioWithin>;

export const scenarioRoutes = (app: FastifyInstance, service: ScenarioService, ports: ScenarioOncePorts): void => {
  playRoutes(app, service, ports);
  serve(app, listScenarios, async ({ request }) => {
    const scenarios = await service.listScenarios(callerOf(request));
    return { page: 0, perPage: 0, scenarios: scenarios.map(scenarioToWire) };
  });
};

/** For systems and people. */
export const playRoutes = (app: FastifyInstance, service: ScenarioService, ports: ScenarioOncePorts): void => {
  serveOnce(app, createScenario, ports, async ({ body, request }, within) => {
    const asked = fromWire(body);
    if (isRefusal(asked)) return asked;
    return mapResult(service.createScenario(callerOf(request), asked, within), scenarioToWire);
  });

  serve(app, deleteScenario, ({ params, request }) =>
    mapResult(service.deleteScenario(callerOf(request), params.id), scenarioToWire),
  );

  serve(app, reportScenario, ({ params, request }) =>
    mapResult(service.reportScenario(callerOf(request), params.id), reportToWire),
  );
};

const scenarioToWire = ({ id, type, dispatches }: Scenario): WireScenario => ({
  id,
  scenario_type: type,
  dispatches: dispatches.flatMap(([first]) => (first === undefined ? [] : [dispatchToWire(first)])),
});

type WireRequest = BodyOf<typeof createScenario>;

const fromWire = (body: WireRequest): Result<ScenarioRequest> => {
  const request = body.scenario_type === "custom" ? customFromWire(body) : simpleFromWire(body, body.scenario_type);
  return isRefusal(request) ? request : { ...request, name: body.name ?? null, speed: body.speed ?? 1 };
};

const missing = (name: string) => invalid(`${name} is missing; it must be given`);

const simpleFromWire = (body: WireRequest, type: SimpleRequest["type"]): Result<SimpleRequest> => {
  const { start_time, end_time, notification_time, cancel_time, sites, program } = body;
  if (start_time === undefined) return missing("start_time");
  if (end_time === undefined) return missing("end_time");
  if (sites === undefined) return missing("sites");
  if (program === undefined) return missing("program");
  const times = moments({ start_time, end_time, notification_time, cancel_time });
  if (isRefusal(times)) return times;
  const named = sitesFromWire(sites);
  if (isRefusal(named)) return named;
  return {
    type,
    notification: times.notification_time ?? null,
    start: times.start_time,
    end: times.end_time,
    cancel: times.cancel_time ?? null,
    minutesBetween: body.minutes_between_dispatches ?? 0,
    test: false,
    sites: named,
    program: programFromWire(program),
  };
};

const customFromWire = ({ dispatches }: WireRequest): Result<CustomRequest> => {
  if (dispatches === undefined) return missing("dispatches");
  const courses: Array<{ label: string; states: ScenarioState[] }> = [];
  for (const [label, { states: wireStates }] of Object.entries(dispatches)) {
    const states: ScenarioState[] = [];
    for (const [index, wire] of wireStates.entries()) {
      const state = stateFromWire(wire, `dispatches.${quote(label)}.states[${index}]`);
      if (isRefusal(state)) return state;
      states.push(state);
    }
    courses.push({ label, states });
  }
  return { type: "custom", courses };
};

const stateFromWire = ({ published_time, dispatch }: WireState, place: string): Result<ScenarioState> => {
  const { start_time, end_time, authorized = true, test = false, sites, program } = dispatch;
  const times = moments({ published_time, start_time, end_time: end_time ?? null });
  if (isRefusal(times)) return invalid(`${place}: ${times.message}`);
  const named = sitesFromWire(sites);
  if (isRefusal(named)) return invalid(`${place}: ${named.message}`);
  return {
    at: times.published_time,
    authorized,
    test,
    start: times.start_time,
    end: times.end_time,
    sites: named,
    program: programFromWire(program),
  };
};

/** Refuses sites without an identifying member (G46). */
const sitesFromWire = (sites: readonly ScenarioSite[]): Result<readonly NamedSite[]> => {
  const named = sites.map(siteFromWire);
  const nameless = named.findIndex(({ id, name, customerLocationId }) => `${id}${name}${customerLocationId}` === "");
  if (nameless < 0) return named;
  return invalid(`sites[${nameless}] does not identify a site; give its id, customer_location_id or name`);
};

const siteFromWire = ({ id, name, customer_location_id, commitment }: ScenarioSite): NamedSite => ({
  id: id ?? "",
  name: name ?? "",
  customerLocationId: customer_location_id ?? "",
  commitmentKw: commitment ?? null,
});

const programFromWire = ({ name, timezone, market, program_type }: ScenarioProgram): NamedProgram => ({
  name,
  timezone: canonicalTimezone(timezone),
  market,
  programType: program_type,
});
